// Who may sign in at all, by the settings of the Worker; and apps that are known by a document on the internet.
import { describe, expect, it } from "vitest";
import { site } from "./internet";
import { call, codeOf, openConsent, redeem, register, type Tokens } from "./visitor";

const publicUrl = "https://holdfast.example";

describe("local mode", () => {
  it("lets nobody in where the server is not on a loopback address, neither to the page nor by the form", async () => {
    const settings = { AUTH_MODE: "local", PUBLIC_URL: publicUrl };
    const page = await openConsent(await register(), settings, publicUrl);
    expect(page.status).toBe(500);
    expect(page.html).toContain("AUTH_MODE=local lets anyone sign in as anyone");
    expect(page.html).not.toContain("<form");
    const decided = await page.decide();
    expect(decided.status).toBe(500);
    expect(decided.headers.has("location")).toBe(false);
  });

  it("is off unless it is asked for: without a provider nobody signs in", async () => {
    const page = await openConsent(await register(), { AUTH_MODE: "", PUBLIC_URL: publicUrl }, publicUrl);
    expect(page.status).toBe(503);
    expect(page.html).toContain("Sign-in is not available");
    expect(page.html).not.toContain("<form");
  });
});

describe("an app that is known by its metadata document (AUTH-011)", () => {
  it("is shown with the domain that vouches for it, and signs in without a registration", async () => {
    const clientId = `${site}/client.json`;
    const page = await openConsent(clientId);
    expect(page.status).toBe(200);
    expect(page.html).toContain("Harbour");
    expect(page.html).toContain("published by app.example");
    expect(page.html).not.toContain("not verified");
    const response = await redeem(clientId, codeOf(await page.decide()));
    expect(response.status).toBe(200);
    expect(await call(((await response.json()) as Tokens).access_token)).toBe(200);
  });

  it.each(["of-another", "long", "moved", "page", "absent"])("is refused for the document %s.json", async (name) => {
    const page = await openConsent(`${site}/${name}.json`);
    expect(page.status).toBe(400);
    expect(page.html).toContain("Nothing was allowed");
    expect(page.html).not.toContain("<form");
  });
});
