import type { Child } from "hono/jsx";

const css = `
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --soft: #57606a; --line: #d0d7de; --go: #0b5cad; --warn: #9a3412; --warnbg: #fff4e5; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --soft: #9aa4af; --line: #3d444d; --go: #4c9be8; --warn: #ffb77c; --warnbg: #2b1d10; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem 1rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
main { max-width: 32rem; margin: 0 auto; }
h1 { font-size: 1.35rem; line-height: 1.3; overflow-wrap: anywhere; }
p, li, dd, label { overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.note { padding: .75rem 1rem; border-left: .25rem solid var(--warn); background: var(--warnbg); }
.error { color: var(--warn); font-weight: 600; }
fieldset { margin: 1rem 0; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
legend { padding: 0 .35rem; font-weight: 600; }
label { display: block; padding: .35rem 0; }
input[type=text] { width: 100%; padding: .6rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .4rem; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.25rem; }
button { flex: 1 1 10rem; padding: .8rem 1rem; font: inherit; font-weight: 600; border-radius: .5rem; border: 1px solid var(--line); background: transparent; color: inherit; }
button.go { background: var(--go); border-color: var(--go); color: var(--paper); }
:focus-visible { outline: .2rem solid var(--go); outline-offset: .15rem; }
`;

function Layout(props: { title: string; nonce: string; children: Child }) {
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
        <main>{props.children}</main>
      </body>
    </html>
  );
}

export interface PageOptions {
  readonly title: string;
  readonly status?: number;
  /** Where a form of this page may lead, redirects included: browsers hold these to form-action too. */
  readonly formTargets?: readonly string[];
  /** Cookies of the page. */
  readonly headers?: Headers;
}

/** A complete HTML response: no script, no frame, no cache, styles by nonce. */
export function page(options: PageOptions, content: Child): Response {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  const headers = new Headers(options.headers);
  const formAction = options.formTargets ? ["'self'", ...options.formTargets].join(" ") : "'none'";
  headers.set(
    "Content-Security-Policy",
    `default-src 'none'; style-src 'nonce-${nonce}'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`,
  );
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Cache-Control", "no-store");
  headers.set("X-Frame-Options", "DENY");
  headers.set("X-Content-Type-Options", "nosniff");
  // Not "no-referrer": that would turn the Origin header of our own form into "null".
  headers.set("Referrer-Policy", "same-origin");
  const html = `<!doctype html>${String(
    <Layout title={options.title} nonce={nonce}>
      {content}
    </Layout>,
  )}`;
  return new Response(html, { status: options.status ?? 200, headers });
}

export function errorPage(status: number, title: string, message: string): Response {
  return page(
    { title: `${title} · Holdfast`, status },
    <>
      <h1>{title}</h1>
      <p>{message}</p>
      <p class="soft">To try again, start the connection from your app once more.</p>
    </>,
  );
}
