// An identity provider that signs whatever a test wants: discovery, keys, an authorization endpoint that sends straight back, tokens.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";

interface SigningKey {
  readonly kid: string;
  readonly alg: "RS256" | "ES256";
  readonly key: CryptoKey;
  readonly jwk: JWK;
}

export interface ForgingIdp {
  readonly issuer: string;
  /** Changes the claims of the next id tokens; undefined removes one. */
  claims: Record<string, unknown>;
  /** How the next id tokens are signed. */
  alg: "RS256" | "ES256" | "HS256" | "none";
  rotate(): Promise<void>;
  sign(claims: JWTPayload, alg?: ForgingIdp["alg"]): Promise<string>;
  stop(): Promise<void>;
}

export async function startForgingIdp(): Promise<ForgingIdp> {
  let keys = await newKeys();
  const nonces = new Map<string, string>();
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? "/", idp.issuer);
      const json = (value: unknown) =>
        response.setHeader("content-type", "application/json").end(JSON.stringify(value));
      if (url.pathname === "/.well-known/openid-configuration") {
        json({
          issuer: idp.issuer,
          authorization_endpoint: `${idp.issuer}/auth`,
          token_endpoint: `${idp.issuer}/token`,
          jwks_uri: `${idp.issuer}/jwks`,
        });
      } else if (url.pathname === "/jwks") {
        json({ keys: keys.map((key) => key.jwk) });
      } else if (url.pathname === "/auth") {
        const code = crypto.randomUUID();
        nonces.set(code, url.searchParams.get("nonce") ?? "");
        const back = new URL(url.searchParams.get("redirect_uri") ?? "");
        back.searchParams.set("code", code);
        back.searchParams.set("state", url.searchParams.get("state") ?? "");
        response.writeHead(302, { location: back.href }).end();
      } else if (url.pathname === "/token") {
        let body = "";
        for await (const chunk of request) body += String(chunk);
        const nonce = nonces.get(new URLSearchParams(body).get("code") ?? "");
        const now = Math.floor(Date.now() / 1000);
        const claims = {
          iss: idp.issuer,
          aud: "holdfast",
          sub: "alice",
          nonce,
          iat: now,
          exp: now + 300,
          ...idp.claims,
        };
        json({ access_token: "x", token_type: "Bearer", id_token: await idp.sign(claims as JWTPayload, idp.alg) });
      } else response.writeHead(404).end();
    })();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const idp: ForgingIdp = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    claims: {},
    alg: "ES256",
    async rotate() {
      keys = await newKeys();
    },
    async sign(claims, alg = "ES256") {
      if (alg === "none") return new UnsecuredJWT(claims).encode();
      if (alg === "HS256")
        return new SignJWT(claims)
          .setProtectedHeader({ alg })
          .sign(new TextEncoder().encode("a secret that everybody knows, long"));
      const key = keys.find((candidate) => candidate.alg === alg);
      if (!key) throw new Error(`no key for ${alg}`);
      return new SignJWT(claims).setProtectedHeader({ alg, kid: key.kid }).sign(key.key);
    },
    stop: () => new Promise((done) => server.close(() => done())),
  };
  return idp;
}

function newKeys(): Promise<SigningKey[]> {
  return Promise.all(
    (["RS256", "ES256"] as const).map(async (alg) => {
      const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
      const kid = crypto.randomUUID();
      return { kid, alg, key: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
    }),
  );
}
