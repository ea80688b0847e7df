import { normalizePath } from "../domain/path";
import { err, ok, type Result } from "../domain/result";
import { type AccessChoice, narrowScopes, type ReachChoice, type ScopeAsk } from "./narrow-scopes";

export interface ConsentDecision {
  readonly scope: string[];
  /** The local user name; empty where the person signs in elsewhere. */
  readonly user: string;
}

export interface ConsentFormError {
  readonly error: string;
  readonly typed: { readonly user: string; readonly folder: string; readonly access: string; readonly reach: string };
}

const userNamePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** The person's choices. Absent ones mean "as requested"; unknown ones are an error, never a default. */
export function readConsentForm(
  form: FormData,
  ask: ScopeAsk,
  asksUser: boolean,
): Result<ConsentDecision, ConsentFormError> {
  const text = (name: string): string => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
  const typed = { user: text("user"), folder: text("folder"), access: text("access"), reach: text("reach") };
  const refuse = (error: string) => err({ error, typed });

  if (asksUser && !userNamePattern.test(typed.user)) {
    return refuse("A user name is 1 to 64 of a-z, 0-9, dot, dash and underscore, and starts with a letter or digit.");
  }
  const access = accessOf(typed.access);
  if (!access) return refuse("Choose what the app may do.");
  const reach = reachOf(typed.reach, typed.folder);
  if (!reach.ok) return refuse(reach.error);
  const scope = narrowScopes(ask, access, reach.value);
  if (scope.length === 0) return refuse(`The app asked for nothing in the folder ${typed.folder.trim()}.`);
  return ok({ scope, user: asksUser ? typed.user : "" });
}

function accessOf(text: string): AccessChoice | null {
  if (text === "" || text === "asked") return "asked";
  return text === "write" || text === "read" ? text : null;
}

function reachOf(text: string, folder: string): Result<ReachChoice, string> {
  if (text === "" || text === "asked") return ok({ kind: "asked" });
  if (text === "root") return ok({ kind: "root" });
  if (text !== "folder") return err("Choose where the app may work.");
  if (folder.trim() === "") return err("Name the folder, such as /notes.");
  const path = normalizePath(folder.trim(), "folder");
  return path.ok ? ok({ kind: "folder", folder: path.value }) : err(path.error.message);
}
