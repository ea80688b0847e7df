import type { Child } from "hono/jsx";
import { theme } from "../web/theme";

const css = `${theme}
main { max-width: 33rem; margin: 0 auto; padding: 1.5rem 1.1rem 3rem; }
.brand { margin: 0 0 1.6rem; color: var(--dim); font-size: 0.95rem; }
.brand strong { color: var(--ink); }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.01em; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.45rem 1.1rem; margin: 0 0 1.1rem; padding: 0.9rem 1rem; background: var(--card); border-radius: 0.5rem; }
dt { color: var(--dim); }
dd { margin: 0; min-width: 0; }
dd ul { margin: 0; padding: 0 0 0 1.1rem; }
.note, .error { margin: 0 0 1.1rem; padding: 0.75rem 1rem; border-left: 0.25rem solid var(--warn); border-radius: 0.2rem; background: var(--warn-card); }
.error { border-color: var(--bad); background: var(--bad-card); color: var(--bad); font-weight: 600; }
fieldset { margin: 0 0 1.4rem; padding: 0; border: 0; min-width: 0; }
legend, .field > label { display: block; padding: 0; margin-bottom: 0.35rem; font-weight: 600; }
.field { margin: 0 0 1.4rem; }
.choice { display: flex; gap: 0.6rem; align-items: baseline; padding: 0.4rem 0; cursor: pointer; }
.choice input { flex: none; margin: 0; width: 1.05rem; height: 1.05rem; translate: 0 0.15rem; }
.folder { margin: 0.1rem 0 0 1.65rem; }
.folder label { display: block; font-size: 0.9rem; color: var(--dim); margin-bottom: 0.2rem; }
input[type=text] { width: 100%; padding: 0.6rem 0.7rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--edge); border-radius: 0.4rem; }
input[aria-invalid=true] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
.hint { margin: 0.35rem 0 0; font-size: 0.9rem; color: var(--dim); }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; }
.actions button { flex: 1 1 9rem; padding: 0.8rem 1rem; }
.detail { font-size: 0.9rem; color: var(--dim); }
@media (max-width: 26rem) { dl { grid-template-columns: 1fr; gap: 0; } dd + dt { margin-top: 0.6rem; } }
`;

function Layout(props: { title: string; nonce: string; host: string | undefined; children: Child }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{props.title}</title>
        <style nonce={props.nonce} dangerouslySetInnerHTML={{ __html: css }} />
      </head>
      <body>
        <main>
          <p class="brand">
            <strong>Holdfast</strong>
            {props.host === undefined ? null : ` at ${props.host}`}
          </p>
          {props.children}
        </main>
      </body>
    </html>
  );
}

export interface PageOptions {
  readonly title: string;
  readonly status?: number;
  /** The host of this server, shown beside its name. */
  readonly host?: string;
  readonly hasForm?: boolean;
  /** Cookies of the page. */
  readonly headers?: Headers;
}

/** A complete HTML response: no script, no frame, no cache, styles by nonce. */
export function page(options: PageOptions, content: Child): Response {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  const headers = new Headers(options.headers);
  const policy = ["default-src 'none'", `style-src 'nonce-${nonce}'`, "frame-ancestors 'none'", "base-uri 'none'"];
  // Chromium holds every hop after a form to form-action: it would stop apps whose callback leads on, to `claude://` say,
  // and sign-in providers that hand over to another. So a page with a form cannot have it.
  if (!options.hasForm) policy.push("form-action 'none'");
  headers.set("Content-Security-Policy", policy.join("; "));
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Cache-Control", "no-store");
  headers.set("X-Frame-Options", "DENY");
  headers.set("X-Content-Type-Options", "nosniff");
  // Not "no-referrer": that would turn the Origin header of our own form into "null".
  headers.set("Referrer-Policy", "same-origin");
  const html = `<!doctype html>${String(
    <Layout title={options.title} nonce={nonce} host={options.host}>
      {content}
    </Layout>,
  )}`;
  return new Response(html, { status: options.status ?? 200, headers });
}

/** `detail` is for whoever made the app or runs the server; the message is for the person. */
export function errorPage(status: number, title: string, message: string, detail?: string): Response {
  return page(
    { title: `${title} · Holdfast`, status },
    <>
      <h1>{title}</h1>
      <p>{message}</p>
      <p>To try again, start connecting from your app once more. You can close this page.</p>
      {detail === undefined ? null : <p class="detail">Detail: {detail}</p>}
    </>,
  );
}
