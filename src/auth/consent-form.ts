import { normalizePath } from "../domain/path";
import { err, ok, type Result } from "../domain/result";
import { type AccessChoice, narrowScopes, type ReachChoice, type ScopeAsk } from "./narrow-scopes";

export interface ConsentDecision {
  readonly scope: string[];
  /** The local user name; empty where the person signs in elsewhere. */
  readonly user: string;
}

export type ConsentField = "user" | "access" | "reach" | "folder";

export interface ConsentFormError {
  readonly error: string;
  /** The field to put right. */
  readonly field: ConsentField;
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
  const refuse = (field: ConsentField, error: string) => err({ error, field, typed });

  if (asksUser && !userNamePattern.test(typed.user)) {
    return refuse(
      "user",
      "A user name is 1 to 64 lower-case letters, digits, dots, dashes or underscores, and starts with a letter or digit.",
    );
  }
  const access = accessOf(typed.access);
  if (!access) return refuse("access", "Choose what the app may do.");
  const reach = reachOf(typed.reach, typed.folder.trim());
  if (!reach.ok) return refuse(reach.error.field, reach.error.message);
  const scope = narrowScopes(ask, access, reach.value);
  if (scope.length === 0) {
    return refuse(
      "folder",
      `The app asked for nothing in ${typed.folder.trim()}. Name a folder within what it asked for.`,
    );
  }
  return ok({ scope, user: asksUser ? typed.user : "" });
}

function accessOf(text: string): AccessChoice | null {
  if (text === "" || text === "asked") return "asked";
  return text === "write" || text === "read" ? text : null;
}

function reachOf(
  text: string,
  folder: string,
): Result<ReachChoice, { readonly field: ConsentField; readonly message: string }> {
  const wrong = (message: string) => err({ field: "folder" as const, message });
  if (text === "folder") {
    if (folder === "") return wrong("Name the folder, such as /notes.");
    const path = normalizePath(folder, "folder");
    return path.ok ? ok({ kind: "folder", folder: path.value }) : wrong(path.error.message);
  }
  if (text !== "" && text !== "asked" && text !== "root")
    return err({ field: "reach", message: "Choose where the app may work." });
  // Whoever names a folder and leaves the wider choice standing would grant more than was meant.
  if (folder !== "")
    return wrong("You named a folder, so that is chosen now. Allow again, or empty the field and choose the other.");
  return ok({ kind: text === "root" ? "root" : "asked" });
}
