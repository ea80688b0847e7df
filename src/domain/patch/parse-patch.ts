import { utf8Length } from "../byte-order";
import { patchHunksMax, patchMaxBytes, patchSectionsMax } from "../limits";
import { err, ok, type Result } from "../result";
import { joinSection, type NamedSection } from "./join-section";
import { type GitHeader, parseGitHeader } from "./parse-git-header";
import { parseHunk } from "./parse-hunk";
import type { Hunk, Patch, PatchSection } from "./patch";
import { malformed, type PatchError, type PatchSyntaxError, type PatchTooLarge, tooLarge } from "./patch-errors";
import { PatchLines } from "./patch-lines";
import { judgeName, readPrefixedName } from "./patch-names";

/** Text to sections (snapshot.md §9.1, §9.2). The whole patch is parsed before names are judged, and both before anything is looked up. */
export function parsePatch(text: string, strip: number): Result<Patch, PatchError> {
  if (!text.isWellFormed())
    return malformed(brokenLine(text), "the text has a lone surrogate", "give well-formed Unicode");
  const sizeBytes = utf8Length(text);
  if (sizeBytes > patchMaxBytes) return err(tooLong(sizeBytes));
  const lines = new PatchLines(text);

  const sections: NamedSection[] = [];
  let hunkCount = 0;
  while (!lines.done) {
    if (lines.startsWith("@@ -")) {
      return malformed(lines.lineNumber, "a hunk without a file", "put --- and +++ lines with the name before it");
    }
    if (!lines.startsWith("diff --git ") && !lines.isNamePair) {
      lines.advance();
      continue;
    }
    const section = parseSection(lines, strip);
    if (!section.ok) return section;
    hunkCount += section.value.hunks.length;
    sections.push(section.value);
    // At once: a hundred thousand sections fit into the bytes of a patch, but not into memory.
    const excess = overLimit(sections.length, hunkCount);
    if (excess) return err(excess);
  }
  if (sections.length === 0) {
    return malformed(1, "the patch changes no file", "send a unified diff with ---, +++ and @@ lines");
  }
  return judgeNames(lines.bytes, sections);
}

function parseSection(lines: PatchLines, strip: number): Result<NamedSection, PatchSyntaxError> {
  let header: GitHeader | null = null;
  if (lines.startsWith("diff --git ")) {
    const parsed = parseGitHeader(lines, strip);
    if (!parsed.ok) return parsed;
    header = parsed.value;
    if (lines.startsWith("Binary files ") || lines.startsWith("GIT binary patch")) {
      lines.advance();
      return joinSection({ header, names: null, hunks: [], isBinary: true });
    }
    if (lines.startsWith("--- ") && !lines.isNamePair) {
      return malformed(lines.lineNumber, "--- without +++ on the next line", "give both names, one after the other");
    }
    if (!lines.isNamePair) return joinSection({ header, names: null, hunks: [], isBinary: false });
  }
  const line = lines.lineNumber;
  const before = readPrefixedName(lines.text.slice("--- ".length), line, strip);
  if (!before.ok) return before;
  lines.advance();
  const after = readPrefixedName(lines.text.slice("+++ ".length), lines.lineNumber, strip);
  if (!after.ok) return after;
  lines.advance();
  const hunks = parseHunks(lines);
  if (!hunks.ok) return hunks;
  if (hunks.value.length === 0) return malformed(line, "--- and +++ without a hunk", "add @@ lines or leave them out");
  return joinSection({
    header,
    names: { before: before.value, after: after.value, line },
    hunks: hunks.value,
    isBinary: false,
  });
}

function parseHunks(lines: PatchLines): Result<Hunk[], PatchSyntaxError> {
  const hunks: Hunk[] = [];
  let end = 0;
  // One more than a patch may have is enough to refuse it.
  while (!lines.done && lines.startsWith("@@") && hunks.length <= patchHunksMax) {
    const hunk = parseHunk(lines);
    if (!hunk.ok) return hunk;
    const { line, lineIndex, oldCount } = hunk.value;
    if (lineIndex < end) {
      return malformed(
        line,
        "the hunk begins before the end of the one above",
        "order the hunks of a file by their old lines",
      );
    }
    end = lineIndex + oldCount;
    hunks.push(hunk.value);
  }
  return ok(hunks);
}

function judgeNames(bytes: Uint8Array, named: readonly NamedSection[]): Result<Patch, PatchSyntaxError> {
  const sections: PatchSection[] = [];
  for (const { names, path, source, ...rest } of named) {
    for (const name of names) {
      const judged = judgeName(name);
      if (!judged.ok) return judged;
    }
    const target = judgeName(path);
    if (!target.ok) return target;
    const from = source && judgeName(source);
    if (from && !from.ok) return from;
    sections.push({ ...rest, path: target.value, source: from ? from.value : null });
  }
  return ok({ bytes, sections });
}

function overLimit(sectionCount: number, hunkCount: number): PatchTooLarge | null {
  const hint = "Split the patch and send the parts one after the other.";
  if (sectionCount > patchSectionsMax) {
    const given = `The patch has more than ${patchSectionsMax} files`;
    return tooLarge("PATCH_SECTIONS_MAX", patchSectionsMax, sectionCount, given, hint);
  }
  if (hunkCount > patchHunksMax) {
    const given = `The patch has more than ${patchHunksMax} hunks`;
    return tooLarge("PATCH_HUNKS_MAX", patchHunksMax, hunkCount, given, hint);
  }
  return null;
}

function tooLong(bytes: number): PatchTooLarge {
  const hint = "Split it, or write whole files with workspace.write_file.";
  return tooLarge("PATCH_MAX", patchMaxBytes, bytes, `The patch has ${bytes} bytes`, hint);
}

function brokenLine(text: string): number {
  const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.exec(text);
  return text.slice(0, lone?.index).split("\n").length;
}
