// What a browser does when a server signs people in elsewhere: one cookie jar per origin, redirects and forms followed by hand.
import { authorizeUrl, CookieJar, createPkce, defaultRedirectUri, redeem, register } from "../harness/login";

export interface UpstreamOutcome {
  readonly status: number;
  readonly text: string;
  /** Present when the flow came back to the client. */
  readonly parameters?: URLSearchParams;
  tokens(): ReturnType<typeof redeem>;
}

/** Consent, then whatever the provider asks, until the browser is back at the client or stands on a page of ours that is not the consent page. */
export async function signInUpstream(
  url: string,
  options: { scope?: string; fields?: Record<string, string> } = {},
): Promise<UpstreamOutcome> {
  const clientId = (await register(url, {})).client_id as string;
  const { verifier, challenge } = createPkce();
  const jars = new Map<string, CookieJar>();
  let location = new URL(
    await authorizeUrl(url, { clientId, challenge, ...(options.scope === undefined ? {} : { scope: options.scope }) }),
  );
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 20; step += 1) {
    const jar = jars.get(location.origin) ?? new CookieJar();
    jars.set(location.origin, jar);
    const response = await fetch(location, {
      redirect: "manual",
      headers: jar.header(),
      ...(form === undefined ? {} : { method: "POST", body: form }),
    });
    jar.take(response);
    form = undefined;
    const text = await response.text();
    const next = response.headers.get("location");
    if (next !== null) {
      location = new URL(next, location);
      if (location.href.startsWith(`${defaultRedirectUri}?`)) {
        const parameters = location.searchParams;
        const code = parameters.get("code") ?? "";
        return {
          status: response.status,
          text,
          parameters,
          tokens: () => redeem(url, { code, verifier, clientId, redirectUri: defaultRedirectUri }),
        };
      }
      continue;
    }
    const action = /<form[^>]*\saction="([^"]+)"/.exec(text)?.[1];
    if (!response.ok || action === undefined)
      return { status: response.status, text, tokens: () => Promise.reject(new Error("no code")) };
    form = new URLSearchParams(
      [...text.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([tag]) => [
        /name="([^"]*)"/.exec(tag)?.[1] ?? "",
        /value="([^"]*)"/.exec(tag)?.[1] ?? "",
      ]),
    );
    if (location.origin === new URL(url).origin) {
      for (const [name, value] of Object.entries({ decision: "approve", ...options.fields })) form.set(name, value);
    } else if (text.includes('name="login"')) {
      form.set("login", "alice");
      form.set("password", "any");
    }
    location = new URL(action, location);
  }
  throw new Error("the sign-in goes round in circles");
}
