import type { ConsentDescription } from "@cloudflare/workers-oauth-provider";
import type { ConsentField, ConsentFormError } from "./consent-form";
import { page } from "./layout";
import { describeScope, type ScopeAsk } from "./narrow-scopes";

export interface ConsentView {
  readonly details: ConsentDescription;
  readonly ask: ScopeAsk;
  /** The host of this server. */
  readonly host: string;
  readonly handle: string;
  /** Cookies that bind the form to this browser. */
  readonly headers: Headers;
  /** Local mode asks for the user name here; otherwise the sign-in follows elsewhere. */
  readonly login: { readonly kind: "local" } | { readonly kind: "upstream"; readonly host: string };
  /** What was wrong with the form that was sent before. */
  readonly refused?: ConsentFormError;
}

/** A client chooses its own name; a long one must not push the rest out of sight. */
const nameMaxCharacters = 80;

export function consentPage(view: ConsentView): Response {
  const { details, ask, login, refused } = view;
  const name = shortName(details.clientName);
  const typed = refused?.typed;
  return page(
    {
      title: `Connect ${name} · Holdfast`,
      status: refused === undefined ? 200 : 400,
      host: view.host,
      hasForm: true,
      headers: view.headers,
    },
    <>
      <h1>
        Let <bdi>{name}</bdi> use your files?
      </h1>
      <Facts details={details} name={name} ask={ask} />
      <p class="note">
        <strong>Allow this only if you just started connecting</strong> from{" "}
        {details.redirectIsLoopback ? "an app on this computer" : placeOf(details)}. Otherwise choose Deny.
      </p>
      {refused === undefined ? null : (
        <p class="error" role="alert" id="error">
          {refused.error}
        </p>
      )}
      <form method="post" action="/authorize">
        <input type="hidden" name="handle" value={view.handle} />
        {login.kind === "local" ? <UserField value={typed?.user ?? ""} wrong={refused?.field === "user"} /> : null}
        <AccessChoices ask={ask} chosen={typed?.access} />
        <ReachChoices
          ask={ask}
          chosen={refused?.field === "folder" ? "folder" : typed?.reach}
          folder={typed?.folder ?? ""}
          wrong={refused?.field}
        />
        {login.kind === "upstream" ? <p>Next, you sign in at {login.host}.</p> : null}
        <div class="actions">
          <button class="primary" type="submit" name="decision" value="approve">
            {login.kind === "upstream" ? "Allow and sign in" : "Allow"}
          </button>
          <button type="submit" name="decision" value="deny" formnovalidate>
            Deny
          </button>
        </div>
      </form>
    </>,
  );
}

function Facts({ details, name, ask }: { details: ConsentDescription; name: string; ask: ScopeAsk }) {
  return (
    <dl>
      <dt>App</dt>
      <dd>
        <bdi>
          <strong>{name}</strong>
        </bdi>
        {details.clientDomain === undefined ? " (name not verified)" : `, published by ${details.clientDomain}`}
      </dd>
      <dt>Access goes to</dt>
      <dd>
        <strong>{placeOf(details)}</strong>
        {details.redirectIsLoopback ? " (this computer)" : null}
      </dd>
      <dt>It asks to</dt>
      <dd>
        {ask.shown.length === 1 && ask.shown[0] ? (
          <bdi>{describeScope(ask.shown[0])}</bdi>
        ) : (
          <ul>
            {ask.shown.map((scope) => (
              <li>
                <bdi>{describeScope(scope)}</bdi>
              </li>
            ))}
          </ul>
        )}
      </dd>
    </dl>
  );
}

function UserField({ value, wrong }: { value: string; wrong: boolean }) {
  return (
    <div class="field">
      <label for="user">Your user name</label>
      <input
        id="user"
        type="text"
        name="user"
        value={value}
        required
        maxlength={64}
        autocomplete="username"
        autocapitalize="none"
        spellcheck={false}
        aria-describedby={wrong ? "error user-hint" : "user-hint"}
        {...(wrong ? { "aria-invalid": "true", autofocus: true } : {})}
      />
      <p class="hint" id="user-hint">
        This server is for use on one computer and asks for no password. Each name has its own files.
      </p>
    </div>
  );
}

function AccessChoices({ ask, chosen }: { ask: ScopeAsk; chosen: string | undefined }) {
  // An app that asks only to read leaves nothing to choose.
  if (!ask.asksWrite) return null;
  const options: [string, string][] = [
    ask.isWholeRoot ? ["write", "Read and change files"] : ["asked", "All that it asks for"],
    ["read", "Only read files"],
  ];
  return (
    <fieldset>
      <legend>What may it do?</legend>
      <Choices name="access" options={options} chosen={chosen} />
    </fieldset>
  );
}

interface ReachProps {
  ask: ScopeAsk;
  chosen: string | undefined;
  folder: string;
  wrong: ConsentField | undefined;
}

function ReachChoices({ ask, chosen, folder, wrong }: ReachProps) {
  const options: [string, string][] = [
    ask.isWholeRoot ? ["root", "In all your files"] : ["asked", "Everywhere it asks for"],
    ["folder", "Only in one folder and what is in it"],
  ];
  return (
    <fieldset>
      <legend>Where?</legend>
      <Choices name="reach" options={options} chosen={chosen} />
      <div class="folder">
        <label for="folder">Folder</label>
        <input
          id="folder"
          type="text"
          name="folder"
          value={folder}
          placeholder="/notes"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          {...(wrong === "folder" ? { "aria-invalid": "true", "aria-describedby": "error", autofocus: true } : {})}
        />
      </div>
    </fieldset>
  );
}

interface ChoicesProps {
  name: string;
  options: [string, string][];
  chosen: string | undefined;
}

function Choices({ name, options, chosen }: ChoicesProps) {
  const selected = options.some(([value]) => value === chosen) ? chosen : options[0]?.[0];
  return (
    <>
      {options.map(([value, text]) => (
        <label class="choice">
          <input type="radio" name={name} value={value} checked={value === selected} />
          <span>{text}</span>
        </label>
      ))}
    </>
  );
}

/** Where access is sent: a host, or for an app of its own URL scheme that scheme. */
function placeOf({ redirectUri }: ConsentDescription): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === "https:" || protocol === "http:" ? host : `the app that opens ${protocol}// links`;
}

function shortName(name: string): string {
  const characters = [...name.trim()];
  return characters.length <= nameMaxCharacters ? name.trim() : `${characters.slice(0, nameMaxCharacters).join("")}…`;
}
