import type { ConsentDescription } from "@cloudflare/workers-oauth-provider";
import { page } from "./layout";
import { describeScope, type ScopeAsk } from "./narrow-scopes";

export interface ConsentView {
  readonly details: ConsentDescription;
  readonly ask: ScopeAsk;
  readonly handle: string;
  /** Cookies that bind the form to this browser. */
  readonly headers: Headers;
  /** Local mode asks for the user name here; otherwise the sign-in follows elsewhere. */
  readonly login:
    | { readonly kind: "local" }
    | { readonly kind: "upstream"; readonly host: string; readonly origin: string };
  readonly error?: string;
  /** What was typed before the error. */
  readonly typed?: { readonly user: string; readonly folder: string; readonly access: string; readonly reach: string };
}

export function consentPage(view: ConsentView): Response {
  const { details, login } = view;
  const formTargets = [formTargetOf(details.redirectUri), ...(login.kind === "upstream" ? [login.origin] : [])];
  return page(
    {
      title: `Connect ${details.clientName} · Holdfast`,
      status: view.error === undefined ? 200 : 400,
      formTargets,
      headers: view.headers,
    },
    <>
      <h1>Let {details.clientName} use your files?</h1>
      <AppFacts details={details} />
      {view.error === undefined ? null : (
        <p class="error" role="alert">
          {view.error}
        </p>
      )}
      <form method="post" action="/authorize">
        <input type="hidden" name="handle" value={view.handle} />
        {login.kind === "local" ? <UserField value={view.typed?.user ?? ""} /> : null}
        <AccessChoices ask={view.ask} chosen={view.typed?.access} />
        <ReachChoices ask={view.ask} chosen={view.typed?.reach} folder={view.typed?.folder ?? ""} />
        {login.kind === "upstream" ? <p class="soft">Next, you sign in at {login.host}.</p> : null}
        <div class="actions">
          <button class="go" type="submit" name="decision" value="approve">
            Allow
          </button>
          <button type="submit" name="decision" value="deny" formnovalidate>
            Deny
          </button>
        </div>
      </form>
    </>,
  );
}

function AppFacts({ details }: { details: ConsentDescription }) {
  return (
    <>
      <p>
        {details.clientDomain === undefined ? (
          <>This app registered itself; its name is not verified.</>
        ) : (
          <>
            Published by <strong>{details.clientDomain}</strong>.
          </>
        )}{" "}
        Access will be sent to <strong>{details.redirectHost}</strong>.
      </p>
      {details.redirectIsLoopback ? (
        <p class="note">
          <strong>This sends access to an app on this computer.</strong> Go on only if you just started connecting from
          it.
        </p>
      ) : null}
    </>
  );
}

function UserField({ value }: { value: string }) {
  return (
    <fieldset>
      <legend>Who are you?</legend>
      <label for="user">User name (local server: no password)</label>
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
      />
    </fieldset>
  );
}

function AccessChoices({ ask, chosen }: { ask: ScopeAsk; chosen: string | undefined }) {
  const options: [string, string][] = ask.isWholeRoot
    ? [["write", "Read and change files"]]
    : [["asked", "As requested, see below"]];
  if (ask.asksWrite) options.push(["read", "Only read files"]);
  return <Choices legend="What may it do?" name="access" options={options} chosen={chosen} />;
}

function ReachChoices({ ask, chosen, folder }: { ask: ScopeAsk; chosen: string | undefined; folder: string }) {
  const options: [string, string][] = [
    ask.isWholeRoot ? ["root", "All your files"] : ["asked", "As requested:"],
    ["folder", "One folder and everything in it:"],
  ];
  return (
    <Choices
      legend="Where?"
      name="reach"
      options={options}
      chosen={chosen}
      afterFirst={
        ask.isWholeRoot ? null : (
          <ul>
            {ask.scopes.map((scope) => (
              <li>{describeScope(scope)}</li>
            ))}
          </ul>
        )
      }
    >
      <input
        type="text"
        name="folder"
        value={folder}
        placeholder="/notes"
        aria-label="Folder"
        autocapitalize="none"
        spellcheck={false}
      />
    </Choices>
  );
}

interface ChoicesProps {
  legend: string;
  name: string;
  options: [string, string][];
  chosen: string | undefined;
  afterFirst?: unknown;
  children?: unknown;
}

function Choices({ legend, name, options, chosen, afterFirst, children }: ChoicesProps) {
  const selected = options.some(([value]) => value === chosen) ? chosen : options[0]?.[0];
  return (
    <fieldset>
      <legend>{legend}</legend>
      {options.map(([value, text], index) => (
        <>
          <label>
            <input type="radio" name={name} value={value} checked={value === selected} /> {text}
          </label>
          {index === 0 ? afterFirst : null}
        </>
      ))}
      {children}
    </fieldset>
  );
}

/** A CSP source for the client's redirect. CSP cannot write an IPv6 host, so its scheme stands for it. */
function formTargetOf(redirectUri: string): string {
  const url = new URL(redirectUri);
  return url.origin === "null" || url.hostname.startsWith("[") ? url.protocol : url.origin;
}
