// Sign-in at an upstream OpenID provider and access tokens of trusted external issuers, against the real server.
// Judges: the `oidc-provider` package, and an IdP that forges. Not covered: providers that are not on loopback.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import { Provider } from "oidc-provider";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startServer } from "../harness/server";
import { type ForgingIdp, startForgingIdp } from "./forging-idp";
import { signInUpstream } from "./upstream-flow";

type Server = Awaited<ReturnType<typeof startServer>>;
const config = process.env.HOLDFAST_TEST_CONFIG;

async function startWith(vars: Record<string, string | null>): Promise<Server> {
  return startServer({ vars: { AUTH_MODE: null, ...vars }, ...(config === undefined ? {} : { config }) });
}

function callMcp(url: string, token: string): Promise<number> {
  return initialize(url, `Bearer ${token}`);
}

/** The status of a request with that header. */
async function initialize(url: string, authorization: string): Promise<number> {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      authorization,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
    }),
  });
  await response.body?.cancel();
  return response.status;
}

describe.each(["RS256", "ES256"] as const)("a real OpenID provider that signs with %s (AUTH-010)", (alg) => {
  it("signs a person in and yields a working token", async () => {
    const { privateKey } = await generateKeyPair(alg, { extractable: true });
    const http = createServer();
    await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
    const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const server = await startWith({
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: "holdfast",
      OIDC_CLIENT_SECRET: "a secret: with / signs",
    });
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: "holdfast",
          client_secret: "a secret: with / signs",
          redirect_uris: [`${server.url}/callback`],
          id_token_signed_response_alg: alg,
        },
      ],
      jwks: { keys: [{ ...(await exportJWK(privateKey)), alg, use: "sig", kid: alg }] },
      cookies: { keys: ["test"] },
      pkce: { required: () => true },
    });
    http.on("request", provider.callback());
    try {
      const outcome = await signInUpstream(server.url, {
        scope: "read:/ write:/",
        fields: { access: "read", reach: "folder", folder: "/notes" },
      });
      expect(outcome.parameters?.get("iss"), outcome.text).toBe(server.url);
      const tokens = await outcome.tokens();
      expect(tokens.scope).toBe("read:/notes/");
      expect(await callMcp(server.url, tokens.access_token as string)).toBe(200);
    } finally {
      await server.stop();
      http.closeAllConnections();
      await new Promise((done) => http.close(done));
    }
  });
});

describe("id tokens and external access tokens", () => {
  let idp: ForgingIdp;
  let server: Server;
  beforeAll(async () => {
    idp = await startForgingIdp();
    server = await startWith({
      OIDC_ISSUER: idp.issuer,
      OIDC_CLIENT_ID: "holdfast",
      TRUSTED_ISSUERS: JSON.stringify([{ issuer: idp.issuer, audience: "holdfast-api" }]),
    });
  });
  afterAll(async () => {
    await server?.stop();
    await idp?.stop();
  });
  beforeEach(() => {
    idp.claims = {};
    idp.alg = "ES256";
  });

  it("accepts an honest id token, and one signed with a rotated key", async () => {
    const first = await (await signInUpstream(server.url)).tokens();
    expect(first.access_token).toMatch(/^[0-9a-f]{32}:/);
    await new Promise((done) => setTimeout(done, 2_100));
    await idp.rotate();
    const second = await (await signInUpstream(server.url)).tokens();
    // Same issuer and subject: the same user.
    expect((second.access_token as string).slice(0, 32)).toBe((first.access_token as string).slice(0, 32));
  });

  const past = Math.floor(Date.now() / 1000) - 3_600;
  it.each<[string, Record<string, unknown>, ForgingIdp["alg"]]>([
    ["a wrong nonce", { nonce: "other" }, "ES256"],
    ["no nonce", { nonce: undefined }, "ES256"],
    ["a wrong issuer", { iss: "https://elsewhere.example" }, "ES256"],
    ["a wrong audience", { aud: "another-client" }, "ES256"],
    ["another authorized party", { azp: "another-client" }, "ES256"],
    ["an expiry in the past", { iat: past - 10, exp: past }, "ES256"],
    ["no expiry", { exp: undefined }, "ES256"],
    ["no signature (alg none)", {}, "none"],
    ["a shared-secret signature", {}, "HS256"],
  ])("refuses an id token with %s", async (_, claims, alg) => {
    idp.claims = claims;
    idp.alg = alg;
    const outcome = await signInUpstream(server.url);
    expect(outcome.status).toBe(400);
    expect(outcome.parameters).toBeUndefined();
    expect(outcome.text).toContain("The sign-in failed");
  });

  it("refuses a callback that no browser of ours started", async () => {
    const response = await fetch(`${server.url}/callback?code=x&state=y`, { redirect: "manual" });
    expect(response.status).toBe(400);
  });

  const now = Math.floor(Date.now() / 1000);
  const honest = () => ({ iss: idp.issuer, aud: `${server.url}/mcp`, sub: "robot", scope: "read:/", exp: now + 600 });
  it.each(["RS256", "ES256"] as const)("accepts an external access token signed with %s (AUTH-018)", async (alg) => {
    expect(await callMcp(server.url, await idp.sign(honest(), alg))).toBe(200);
    expect(await callMcp(server.url, await idp.sign({ ...honest(), aud: "holdfast-api" }, alg))).toBe(200);
  });

  it.each<[string, Record<string, unknown>, ForgingIdp["alg"]]>([
    ["another audience", { aud: "https://elsewhere.example/mcp" }, "ES256"],
    ["an unknown issuer", { iss: "https://elsewhere.example" }, "ES256"],
    ["an expiry in the past (AUTH-016)", { exp: past }, "ES256"],
    ["no expiry (AUTH-016)", { exp: undefined }, "ES256"],
    ["no subject", { sub: undefined }, "ES256"],
    ["no scope", { scope: undefined }, "ES256"],
    ["HS256", {}, "HS256"],
    ["alg none (AUTH-017)", {}, "none"],
  ])("refuses an external access token with %s", async (_, claims, alg) => {
    expect(await callMcp(server.url, await idp.sign({ ...honest(), ...claims }, alg))).toBe(401);
  });

  it("takes no header for another that it remembers: neither the hash of a long one, nor what it goes by", async () => {
    const token = await idp.sign({ ...honest(), note: "x".repeat(300) }, "ES256");
    const header = `Bearer ${token}`;
    expect(header.length).toBeGreaterThan(256);
    const short = (await (await signInUpstream(server.url)).tokens()).access_token as string;
    for (let time = 1; time <= 2; time++) {
      expect(await initialize(server.url, header)).toBe(200);
      expect(await initialize(server.url, `Bearer ${short}`)).toBe(200);
    }
    const hash = createHash("sha256").update(header).digest("hex");
    const resource = `${server.url}/mcp`;
    const names = [
      `#${hash}`,
      hash,
      `=${header}`,
      `=Bearer ${short}`,
      `#${hash} ${resource}`,
      `Bearer ${short} ${resource}`,
    ];
    for (const name of [
      ...names,
      `Bearer #${hash}`,
      `Bearer ${hash}`,
      `=${hash}`,
      `Bearer =Bearer ${short}`,
      short,
      token,
    ]) {
      expect(await initialize(server.url, name), name).toBe(401);
    }
    // Other spellings of the same.
    for (const good of [token, short]) {
      for (const spelt of [`bearer ${good}`, `Bearer   ${good}`, `BEARER ${good}`]) {
        for (let time = 1; time <= 2; time++) expect(await initialize(server.url, spelt)).toBe(200);
      }
      expect(await initialize(server.url, `Bearer ${good}x`)).toBe(401);
      expect(await initialize(server.url, `Bearer ${good.slice(0, -1)}`)).toBe(401);
    }
  });
});
