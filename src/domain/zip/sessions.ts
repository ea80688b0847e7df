import { quote } from "../quote";
import { err, ok, type Result } from "../result";
import { invalidParams, type ZipError } from "./zip-errors";

export interface NamedSession {
  readonly id: string;
  /** `""` if it has none. */
  readonly name: string;
  readonly sourcePath: string;
}

const listMax = 10;
const prefixMin = 4;
const nameForm = /^[A-Za-z0-9_-]{1,64}$/;
const uuidForm = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32})$/i;
const advice = "Pass session=<name or id>.";

/** zipfs.md §3.1 step 3: a name that can never be taken for an id. */
export function isSessionName(name: string): boolean {
  return nameForm.test(name) && !uuidForm.test(name);
}

export function badSessionName(name: string): ZipError {
  const wanted = "give 1 to 64 of A-Z, a-z, 0-9, _ and -, and no UUID";
  return invalidParams("name", `${quote(name)} is not a session name; ${wanted}`);
}

/** zipfs.md §2.1. `sessions` are all of the user's, in the order in which they are to be named. */
export function resolveSession<T extends NamedSession>(
  sessions: readonly T[],
  wanted: string | null | undefined,
): Result<T, ZipError> {
  if (wanted === undefined || wanted === null || wanted === "") return onlySession(sessions);
  const sought = wanted.toLowerCase();
  const exact =
    sessions.find((session) => session.name === wanted && session.name !== "") ??
    sessions.find((session) => session.id === sought);
  if (exact !== undefined) return ok(exact);
  const matching = wanted.length < prefixMin ? [] : sessions.filter((session) => session.id.startsWith(sought));
  if (matching.length > 1) {
    const message = `${quote(wanted)} matches ${matching.length} sessions: ${listSessions(matching)}. ${advice}`;
    return err({ code: "AMBIGUOUS_SESSION", message });
  }
  const [found] = matching;
  if (found !== undefined) return ok(found);
  const message = `Session ${quote(wanted)} not found. Open sessions: ${listSessions(sessions)}. Use zipfs_sessions to see them.`;
  return err({ code: "SESSION_NOT_FOUND", message });
}

function onlySession<T extends NamedSession>(sessions: readonly T[]): Result<T, ZipError> {
  const [first] = sessions;
  if (first === undefined) {
    const message = "No sessions are open. Use zipfs_open with the path of a zip file.";
    return err({ code: "NO_SESSIONS", message });
  }
  if (sessions.length === 1) return ok(first);
  const message = `${sessions.length} sessions are open: ${listSessions(sessions)}. ${advice}`;
  return err({ code: "AMBIGUOUS_SESSION", message });
}

/** `"q4" (/reports/q4.zip), 3f2a91c4 (/in/a.zip) and 3 more`. */
function listSessions(sessions: readonly NamedSession[]): string {
  if (sessions.length === 0) return "none";
  const shown = sessions.slice(0, listMax).map(({ id, name, sourcePath }) => {
    return `${name === "" ? id.slice(0, 8) : quote(name)} (${sourcePath})`;
  });
  const rest = sessions.length - shown.length;
  return shown.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
