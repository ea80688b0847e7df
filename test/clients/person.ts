// The person at the browser, for clients that bring their own OAuth: opens the page, fills the form, follows the redirect.
import { CookieJar } from "../harness/login";

export interface Choices {
  user: string;
  access?: string;
  reach?: string;
  folder?: string;
  decision?: "approve" | "deny";
}

/** Returns where the server sends the browser afterwards: the client's redirect URI with its parameters. */
export async function answerConsent(authorizationUrl: string | URL, choices: Choices): Promise<URL> {
  const jar = new CookieJar();
  const page = await fetch(authorizationUrl, { redirect: "manual" });
  const html = await page.text();
  jar.take(page);
  const handle = /name="handle" value="([^"]*)"/.exec(html)?.[1];
  if (page.status !== 200 || handle === undefined) throw new Error(`no consent page but ${page.status}: ${html}`);
  const answer = await fetch(new URL("/authorize", authorizationUrl), {
    method: "POST",
    redirect: "manual",
    headers: { ...jar.header(), origin: new URL(authorizationUrl).origin },
    body: new URLSearchParams({ handle, access: "asked", reach: "asked", decision: "approve", ...choices }),
  });
  const location = answer.headers.get("location");
  if (location === null) throw new Error(`no redirect but ${answer.status}: ${await answer.text()}`);
  return new URL(location);
}
