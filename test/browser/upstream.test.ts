// Sign-in at an upstream OpenID provider, in a real browser: consent here, sign-in there, back to the app. The checks of the
// provider's answers are in test/auth/oidc.test.ts.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ForgingIdp, startForgingIdp } from "../auth/forging-idp";
import { type Server, startServer } from "../harness/server";
import { Apps } from "./app";
import { launchChromium, newPerson } from "./chromium";

let browser: Browser;
let idp: ForgingIdp;
let server: Server;
let apps: Apps;

beforeAll(async () => {
  browser = await launchChromium();
  idp = await startForgingIdp();
  server = await startServer({ vars: { AUTH_MODE: null, OIDC_ISSUER: idp.issuer, OIDC_CLIENT_ID: "holdfast" } });
  apps = new Apps(server.url);
});
afterAll(async () => {
  await browser?.close();
  await apps?.stop();
  await server?.stop();
  await idp?.stop();
});

it("AUTH-010 asks for consent first, names where the sign-in follows, and leads through it to the app", async () => {
  const { context, complaints } = await newPerson(browser);
  const page = await context.newPage();
  const app = await apps.connect();
  await page.goto(app.url);
  expect(await page.getByLabel("Your user name").count()).toBe(0);
  expect(await page.locator("form").textContent()).toContain(`you sign in at ${new URL(idp.issuer).host}`);
  await page.getByLabel("Only in one folder").check();
  await page.getByLabel("Folder", { exact: true }).fill("/notes");
  await page.getByRole("button", { name: "Allow and sign in" }).click();
  await page.getByText("Back in the app").waitFor();
  expect((await app.answer()).get("iss")).toBe(server.url);
  expect((await app.tokens()).scope).toBe("read:/notes/ write:/notes/");
  expect(await context.cookies()).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

it("AUTH-010 tells a person in plain words that the provider's answer cannot be trusted", async () => {
  const { context } = await newPerson(browser);
  const page = await context.newPage();
  idp.claims = { nonce: "another" };
  try {
    await page.goto((await apps.connect()).url);
    await page.getByRole("button", { name: "Allow and sign in" }).click();
    await page.getByRole("heading", { name: "The sign-in failed" }).waitFor();
    expect(await page.locator("main").textContent()).toContain("nothing was allowed");
  } finally {
    idp.claims = {};
    await context.close();
  }
});
