import { html, raw } from "hono/html";
import type { FC } from "hono/jsx";
import { clientGuides, type Guide } from "./client-guides";
import { theme } from "./theme";

const style = `${theme}
main { max-width: 50rem; margin: 0 auto; padding: 2.5rem 1.1rem 3rem; }
h1 { margin: 0; font-size: 2rem; letter-spacing: -0.02em; }
h2 { margin: 2.2rem 0 0.6rem; font-size: 1.15rem; }
.promise { font-size: 1.1rem; }
.copyable { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: start; margin: 0.5rem 0; }
.copyable > code { flex: 1 1 14rem; min-width: 0; padding: 0.65rem 0.9rem; line-height: 1.55rem; white-space: pre-wrap; background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; user-select: all; }
.copyable > button { flex: none; min-width: 6rem; }
details { border-top: 1px solid var(--line); padding: 0.2rem 0; }
details[open] { padding-bottom: 0.8rem; }
details:last-of-type { border-bottom: 1px solid var(--line); }
summary { cursor: pointer; font-weight: 600; padding: 0.45rem 0; }
footer { margin-top: 2.5rem; color: var(--dim); font-size: 0.9rem; }
footer ul { display: flex; flex-wrap: wrap; gap: 0.4rem 1.2rem; margin: 0; padding: 0; list-style: none; }
`;

/** Buttons are hidden until the script runs: without JavaScript one click selects the whole text. */
const script = `
for (const button of navigator.clipboard ? document.querySelectorAll("button[data-copies]") : []) {
  const text = document.getElementById(button.dataset.copies);
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(text);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
}
`;

/** The policy under which the page runs; the nonce is new for every answer. */
export function homePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The page for people at `/`. */
export function homePage(origin: string, nonce: string, version: string) {
  return html`<!doctype html>${<Home mcpUrl={`${origin}/mcp`} nonce={nonce} version={version} />}`;
}

const Home: FC<{ mcpUrl: string; nonce: string; version: string }> = ({ mcpUrl, nonce, version }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>Holdfast</title>
      <style nonce={nonce}>{raw(style)}</style>
    </head>
    <body>
      <main>
        <h1>Holdfast</h1>
        <p class="promise dim">Agents cannot overwrite what they have not seen.</p>
        <p>
          A private, versioned root filesystem for every user, behind one remote MCP URL. Add the URL to your client; it
          opens a page where you sign in and choose what the client may read and change.
        </p>
        <h2>MCP URL</h2>
        <Copyable id="url" text={mcpUrl} what="the MCP URL" primary />
        <h2>Add it to your client</h2>
        {clientGuides(mcpUrl).map((guide, index) => (
          <ClientGuide guide={guide} id={`guide-${index + 1}`} />
        ))}
        <footer>
          <ul>
            <li>
              <a href="/health">Health</a>
            </li>
            <li>
              <a href="/.well-known/oauth-protected-resource/mcp">Resource metadata</a>
            </li>
            <li>
              <a href="/.well-known/oauth-authorization-server">Sign-in metadata</a>
            </li>
            <li>
              <a href="https://modelcontextprotocol.io" rel="noreferrer">
                About MCP
              </a>
            </li>
          </ul>
          <p>Version {version}</p>
        </footer>
      </main>
      <script nonce={nonce}>{raw(script)}</script>
    </body>
  </html>
);

const Copyable: FC<{ id: string; text: string; what: string; primary?: boolean }> = ({ id, text, what, primary }) => (
  <div class="copyable">
    <code id={id}>{text}</code>
    <button type="button" class={primary ? "primary" : ""} data-copies={id} aria-label={`Copy ${what}`} hidden>
      Copy
    </button>
  </div>
);

const ClientGuide: FC<{ guide: Guide; id: string }> = ({ guide, id }) => (
  <details open={guide.open ?? false}>
    <summary>{guide.client}</summary>
    {guide.steps.map((step, index) => (
      <>
        <p>{step.say}</p>
        {step.code === undefined ? null : (
          <Copyable id={`${id}-${index + 1}`} text={step.code} what={`this step for ${guide.client}`} />
        )}
      </>
    ))}
  </details>
);
