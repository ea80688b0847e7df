import { html, raw } from "hono/html";
import type { FC } from "hono/jsx";
import { clientGuides, type Guide } from "./client-guides";

const style = `
:root { color-scheme: light dark; --ink: #1d2127; --dim: #5b6470; --paper: #fbfbf9; --card: #f0f0ec; --line: #d9d9d2; --accent: #0b6b58; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7e9ec; --dim: #9aa4b1; --paper: #14171b; --card: #1e2228; --line: #333a43; --accent: #5fd0b5; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
main { max-width: 44rem; margin: 0 auto; padding: 2.5rem 1.1rem 4rem; }
h1 { margin: 0; font-size: 2rem; letter-spacing: -0.02em; }
h2 { margin: 2.2rem 0 0.6rem; font-size: 1.15rem; }
p { margin: 0.6rem 0; }
.promise { color: var(--dim); font-size: 1.1rem; }
a { color: var(--accent); }
code, pre { font: 0.9rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { margin: 0.5rem 0; padding: 0.7rem 0.9rem; overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; }
.url { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.url code { flex: 1 1 14rem; padding: 0.65rem 0.9rem; overflow-wrap: anywhere; background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; user-select: all; }
button { padding: 0.65rem 1.1rem; font: inherit; color: var(--paper); background: var(--accent); border: 0; border-radius: 0.5rem; cursor: pointer; }
details { border-top: 1px solid var(--line); padding: 0.55rem 0; }
details:last-of-type { border-bottom: 1px solid var(--line); }
summary { cursor: pointer; font-weight: 600; }
footer { margin-top: 2.5rem; color: var(--dim); font-size: 0.9rem; }
footer a { margin-right: 1rem; }
`;

/** The button is hidden until the script runs: without JavaScript the URL is selected by one click. */
const script = `
const button = document.getElementById("copy");
const url = document.getElementById("url");
if (navigator.clipboard) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(url.textContent);
    button.textContent = "Copied";
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
        <p class="promise">Agents cannot overwrite what they have not seen.</p>
        <p>
          A private, versioned root filesystem for every user, behind one remote MCP URL. Add the URL to your client; it
          opens a page where you sign in and choose what the client may read and write.
        </p>
        <h2 id="mcp-url">MCP URL</h2>
        <div class="url">
          <code id="url">{mcpUrl}</code>
          <button id="copy" type="button" hidden>
            Copy
          </button>
        </div>
        <h2>Add it to your client</h2>
        {clientGuides(mcpUrl).map((guide) => (
          <ClientGuide guide={guide} />
        ))}
        <footer>
          <a href="/health">Health</a>
          <a href="/.well-known/oauth-protected-resource/mcp">Resource metadata</a>
          <a href="/.well-known/oauth-authorization-server">Sign-in metadata</a>
          <a href="https://modelcontextprotocol.io" rel="noreferrer">
            About MCP
          </a>
          <p>Version {version}</p>
        </footer>
      </main>
      <script nonce={nonce}>{raw(script)}</script>
    </body>
  </html>
);

const ClientGuide: FC<{ guide: Guide }> = ({ guide }) => (
  <details open={guide.open ?? false}>
    <summary>{guide.client}</summary>
    {guide.steps.map((step) => (
      <>
        <p>{step.say}</p>
        {step.code === undefined ? null : (
          <pre>
            <code>{step.code}</code>
          </pre>
        )}
      </>
    ))}
  </details>
);
