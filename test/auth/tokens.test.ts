// Codes, refresh tokens and revocation under concurrency, and what each state of a token is answered with.
import { describe, expect, inject, it } from "vitest";
import { authorizeCode, freshUser, login, redeem, refresh, revoke } from "../harness/login";

const url = inject("url");
const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
});

async function callMcp(authorization: string | undefined, method = "POST"): Promise<Response> {
  const response = await fetch(`${url}/mcp`, {
    method,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(authorization === undefined ? {} : { authorization }),
    },
    ...(method === "POST" ? { body: initialize } : {}),
  });
  await response.body?.cancel();
  return response;
}

async function parallel(
  count: number,
  parameters: Record<string, string>,
): Promise<{ statuses: Map<string, number>; tokens: Record<string, string>[] }> {
  const answers = await Promise.all(
    Array.from({ length: count }, async () => {
      const response = await fetch(`${url}/oauth/token`, { method: "POST", body: new URLSearchParams(parameters) });
      return { status: response.status, body: (await response.json()) as Record<string, string> };
    }),
  );
  const statuses = new Map<string, number>();
  for (const { status, body } of answers) {
    const name = `${status} ${body.error ?? "token"}`;
    statuses.set(name, (statuses.get(name) ?? 0) + 1);
  }
  return { statuses, tokens: answers.filter(({ status }) => status === 200).map(({ body }) => body) };
}

describe("one-time secrets", () => {
  it("gives one token for 100 parallel redemptions of a code, then one for 100 of its refresh token", async () => {
    const grant = await authorizeCode(url, { user: freshUser() });
    const codes = await parallel(100, {
      grant_type: "authorization_code",
      code: grant.code,
      code_verifier: grant.verifier,
      client_id: grant.clientId,
      redirect_uri: grant.redirectUri,
    });
    expect(codes.statuses).toEqual(
      new Map([
        ["200 token", 1],
        ["400 invalid_grant", 99],
      ]),
    );
    expect((await callMcp(`Bearer ${codes.tokens[0]?.access_token}`)).status).toBe(200);
    const refreshes = await parallel(100, {
      grant_type: "refresh_token",
      refresh_token: codes.tokens[0]?.refresh_token ?? "",
      client_id: grant.clientId,
    });
    expect(refreshes.statuses).toEqual(
      new Map([
        ["200 token", 1],
        ["400 invalid_grant", 99],
      ]),
    );
    expect((await callMcp(`Bearer ${refreshes.tokens[0]?.access_token}`)).status).toBe(200);
  });

  it("refuses a code with a wrong verifier and another client's refresh token", async () => {
    const grant = await authorizeCode(url, { user: freshUser() });
    await expect(redeem(url, { ...grant, verifier: "x".repeat(43) })).rejects.toMatchObject({ code: "invalid_grant" });
    const first = await login(url, { user: freshUser() });
    const other = await login(url, { user: freshUser() });
    await expect(refresh(url, { refreshToken: first.refreshToken, clientId: other.clientId })).rejects.toMatchObject({
      code: "invalid_grant",
    });
  });
});

describe("revocation", () => {
  it("refuses a revoked access token at once, also where it was just used", async () => {
    const { accessToken, clientId } = await login(url, { user: freshUser() });
    expect((await callMcp(`Bearer ${accessToken}`)).status).toBe(200);
    await revoke(url, { token: accessToken, clientId });
    expect((await callMcp(`Bearer ${accessToken}`)).status).toBe(401);
  });

  it("ends every token of the grant with its refresh token", async () => {
    const { accessToken, refreshToken, clientId } = await login(url, { user: freshUser() });
    expect((await callMcp(`Bearer ${accessToken}`)).status).toBe(200);
    await revoke(url, { token: refreshToken, clientId });
    expect((await callMcp(`Bearer ${accessToken}`)).status).toBe(401);
    await expect(refresh(url, { refreshToken, clientId })).rejects.toMatchObject({ code: "invalid_grant" });
  });

  it("leaves another login of the same client alone, and so does the login itself", async () => {
    const user = freshUser();
    const first = await login(url, { user });
    const { clientId } = first;
    const second = await login(url, { user, clientId });
    expect(second.clientId).toBe(clientId);
    const works = async (accessToken: string) => (await callMcp(`Bearer ${accessToken}`)).status === 200;
    expect([await works(first.accessToken), await works(second.accessToken)]).toEqual([true, true]);

    const renewed = await refresh(url, first);
    const other = await refresh(url, second);
    expect([await works(renewed.access_token), await works(other.access_token)]).toEqual([true, true]);

    await revoke(url, { token: renewed.refresh_token, clientId });
    const ended = [first.accessToken, renewed.access_token];
    const left = [second.accessToken, other.access_token];
    expect(await Promise.all(ended.map(works))).toEqual([false, false]);
    expect(await Promise.all(left.map(works))).toEqual([true, true]);
    const again = await refresh(url, { refreshToken: other.refresh_token, clientId });
    expect(await works(again.access_token)).toBe(true);
  });

  it("does not let one client revoke another's token", async () => {
    const mine = await login(url, { user: freshUser() });
    const other = await login(url, { user: freshUser() });
    await revoke(url, { token: mine.accessToken, clientId: other.clientId });
    expect((await callMcp(`Bearer ${mine.accessToken}`)).status).toBe(200);
  });
});

describe("token states", () => {
  const user = "0".repeat(32);
  it.each([
    ["none", undefined],
    ["an empty header", ""],
    ["garbage", "Bearer garbage"],
    ["the shape of ours", `Bearer ${user}:abc:def`],
    ["a JWT of nobody we trust", "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0."],
    ["another scheme", "Basic YTpi"],
    ["two tokens", "Bearer a b"],
    ["no token after the scheme", "Bearer"],
  ])("answers 401 to %s, on every method", async (_, authorization) => {
    for (const method of ["POST", "GET", "DELETE", "PUT", "PATCH", "OPTIONS", "HEAD"]) {
      const response = await callMcp(authorization, method);
      expect(response.status, method).toBe(401);
      const challenge = response.headers.get("www-authenticate") ?? "";
      expect(challenge).toContain(`resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`);
      expect(challenge.includes("error=")).toBe(Boolean(authorization));
    }
  });

  it("takes the scheme in any case", async () => {
    const { accessToken } = await login(url, { user: freshUser() });
    expect((await callMcp(`bEARER ${accessToken}`)).status).toBe(200);
  });

  it("refuses a refresh token as an access token", async () => {
    const { refreshToken } = await login(url, { user: freshUser() });
    expect((await callMcp(`Bearer ${refreshToken}`)).status).toBe(401);
  });
});

describe("consent by form", () => {
  it.each([
    ["nothing asked", { scope: null }, "read:/ write:/"],
    ["words that name no path", { scope: "openid offline_access" }, "read:/ write:/"],
    ["what can be understood of it", { scope: "read:/notes/ raed:/work/ write:../x" }, "read:/notes/"],
    ["as requested", { scope: "read:/ write:/notes/" }, "read:/ write:/notes/"],
    ["read only", { access: "read" }, "read:/"],
    ["one folder", { folder: "/notes" }, "read:/notes/ write:/notes/"],
    [
      "a folder within what was asked",
      { scope: "read:/ write:/notes/", folder: "/notes/a" },
      "read:/notes/a/ write:/notes/a/",
    ],
    ["no more than asked", { scope: "read:/notes/", access: "write", reach: "root" }, "read:/notes/"],
  ])("grants %s", async (_, options, scope) => {
    const granted = await login(url, { user: freshUser(), ...options });
    expect(granted.scope).toBe(scope);
  });

  it.each([
    ["a bad user name", { user: "Not Valid" }, /user name/],
    ["a folder outside the root", { user: "a", folder: "/../x" }, /folder/],
    ["a folder that was not asked for", { user: "a", scope: "read:/notes/", folder: "/work" }, /asked for nothing/],
  ])("shows the page again for %s", async (_, options, message) => {
    await expect(authorizeCode(url, options)).rejects.toMatchObject({
      status: 400,
      body: expect.stringMatching(message),
    });
  });

  it("sends a denial back to the client", async () => {
    await expect(authorizeCode(url, { user: "a", decision: "deny" })).rejects.toMatchObject({ code: "access_denied" });
  });

  it.each(["read:nonsense", "raed:/notes/", "Read:/notes/", "/notes/", "read/notes", "mcp:tools openid"])(
    "sends the scope %j, which cannot be understood, back to the client and offers nothing wider",
    async (scope) => {
      await expect(authorizeCode(url, { user: "a", scope })).rejects.toMatchObject({ code: "invalid_scope" });
    },
  );
});
