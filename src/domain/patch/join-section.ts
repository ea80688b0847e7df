import { quote } from "../quote";
import { ok, type Result } from "../result";
import type { GitHeader } from "./parse-git-header";
import type { Hunk, PatchSection, SectionKind } from "./patch";
import { malformed, type PatchSyntaxError } from "./patch-errors";
import type { PatchName } from "./patch-names";

/** A section whose names are not judged yet. */
export interface NamedSection extends Omit<PatchSection, "path" | "source"> {
  readonly path: PatchName;
  readonly source: PatchName | null;
  /** Every name that the section gives, in the order of its lines. */
  readonly names: readonly PatchName[];
}

export interface SectionParts {
  readonly header: GitHeader | null;
  /** Of `---` and `+++`, null for `/dev/null`; `line` is that of `---`. */
  readonly names: { readonly before: PatchName | null; readonly after: PatchName | null; readonly line: number } | null;
  readonly hunks: readonly Hunk[];
  readonly isBinary: boolean;
}

const supportedModes = ["100644", "100755"];

/** Puts what the lines of a section say together, and refuses what contradicts itself (snapshot.md §9.2). */
export function joinSection(parts: SectionParts): Result<NamedSection, PatchSyntaxError> {
  const { header, names, hunks, isBinary } = parts;
  const kind = kindOf(parts);
  if (!kind.ok) return kind;
  const ends = endsOf(parts, kind.value);
  if (!ends.ok) return ends;
  const misfit = hunks.find(
    ({ oldCount, newCount }) => (kind.value === "create" && oldCount > 0) || (kind.value === "delete" && newCount > 0),
  );
  if (misfit) {
    const given = kind.value === "create" ? "a new file has no old lines" : "a deleted file has no new lines";
    return malformed(misfit.line, given, "correct the hunk, or the names above it");
  }
  if (header && kind.value === "modify" && hunks.length === 0 && !isBinary && !changesMode(header)) {
    return malformed(header.line, "the section changes nothing", "add its ---, +++ and @@ lines or leave it out");
  }
  const modes = header ? [...header.modes.values(), ...(header.indexMode ? [header.indexMode] : [])] : [];
  return ok({
    kind: kind.value,
    ...ends.value,
    names: [...(header?.names ?? []), ...(header?.moves.values() ?? []), names?.before, names?.after].filter(
      (name) => name !== null && name !== undefined,
    ),
    hunks,
    isBinary,
    hasForeignMode: modes.some((mode) => !supportedModes.includes(mode)),
  });
}

function kindOf({ header, names }: SectionParts): Result<SectionKind, PatchSyntaxError> {
  const says = (keyword: "new file mode" | "deleted file mode") => header?.modes.has(keyword) ?? false;
  const isRename = header?.moves.has("rename from") || header?.moves.has("rename to");
  const isCopy = header?.moves.has("copy from") || header?.moves.has("copy to");
  const lacksOld = names !== null && names.before === null;
  const lacksNew = names !== null && names.after === null;
  const line = names?.line ?? header?.line ?? 1;
  if (lacksOld && lacksNew) return malformed(line, "both names are /dev/null", "name the file that is made or removed");

  const isNew = says("new file mode") || lacksOld;
  const isGone = says("deleted file mode") || lacksNew;
  const kinds = [isNew, isGone, isRename, isCopy].filter(Boolean).length;
  if (kinds > 1) {
    return malformed(
      line,
      "the section is more than one of new, deleted, renamed and copied",
      "make one section for each",
    );
  }
  if (header && (header.modes.has("old mode") || header.modes.has("new mode"))) {
    const isPair = header.modes.has("old mode") && header.modes.has("new mode");
    if (!isPair || isNew || isGone) {
      return malformed(header.line, "old mode and new mode do not fit the section", "give both, for a file that stays");
    }
  }
  if (names && says("new file mode") && !lacksOld) {
    return malformed(line, "a new file has an old name", "write --- /dev/null");
  }
  if (names && says("deleted file mode") && !lacksNew) {
    return malformed(line, "a deleted file has a new name", "write +++ /dev/null");
  }
  return ok(isNew ? "create" : isGone ? "delete" : isRename ? "rename" : isCopy ? "copy" : "modify");
}

type Ends = Pick<NamedSection, "path" | "source">;

function endsOf({ header, names }: SectionParts, kind: SectionKind): Result<Ends, PatchSyntaxError> {
  if (header && (kind === "rename" || kind === "copy")) {
    const from = header.moves.get(`${kind} from`);
    const to = header.moves.get(`${kind} to`);
    if (!from || !to) return malformed(header.line, `${kind} from and ${kind} to are a pair`, "give both");
    if (names?.before && differ(names.before, from)) return namesDiffer(from, names.before);
    if (names?.after && differ(names.after, to)) return namesDiffer(to, names.after);
    return ok({ path: to, source: from });
  }
  const [headerName] = header?.names ?? [];
  const before = names ? names.before : headerName;
  const after = names ? names.after : headerName;
  const path = kind === "delete" ? before : after;
  if (!path) {
    const line = header?.line ?? 1;
    return malformed(
      line,
      "the names of diff --git are not one name",
      "add ---/+++ lines, or rename from and rename to",
    );
  }
  if (kind === "modify" && before && differ(before, path)) return namesDiffer(before, path);
  if (headerName && differ(headerName, path)) return namesDiffer(headerName, path);
  return ok({ path, source: null });
}

/** A name with too few components equals anything here: it is refused when names are judged. */
function differ(left: PatchName, right: PatchName): boolean {
  return left.stripped !== null && right.stripped !== null && left.stripped !== right.stripped;
}

function namesDiffer(left: PatchName, right: PatchName) {
  const given = `${quote(left.raw)} and ${quote(right.raw)} are different files`;
  return malformed(right.line, given, "a renamed file needs diff --git, rename from and rename to");
}

function changesMode({ modes }: GitHeader): boolean {
  return modes.get("old mode") !== modes.get("new mode");
}
