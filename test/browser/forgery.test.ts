// What the consent page withstands in a real browser: forms that other pages send, forms sent twice, frames, and what its
// cookies and its policy promise. The same form as a person uses it is in consent.test.ts.
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { freshUser } from "../harness/login";
import { Apps, type ConnectingApp, type Site, startSite } from "./app";
import { launchChromium, newPerson, type Person } from "./chromium";

const url = inject("url");
const apps = new Apps(url);
let browser: Browser;
let hostile: Site;
let person: Person;
let page: Page;
/** What the hostile site shows to whoever comes by. */
let bait = "";

beforeAll(async () => {
  browser = await launchChromium();
  hostile = await startSite((_, response) => void response.setHeader("content-type", "text/html").end(bait));
});
afterAll(async () => {
  await browser?.close();
  await hostile?.stop();
  await apps.stop();
});
beforeEach(async () => {
  person = await newPerson(browser);
  page = await person.context.newPage();
});
afterEach(() => person.context.close());

function handleOn(consent: Page): Promise<string> {
  return consent.locator("input[name=handle]").inputValue();
}

/** A page that approves in the visitor's name as soon as it is seen. */
function formThatSendsItself(handle: string): string {
  const fields = { handle, user: "victim", access: "asked", reach: "asked", decision: "approve" };
  const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`);
  return `<form method="post" action="${url}/authorize">${inputs.join("")}</form><script>document.forms[0].submit()</script>`;
}

/** Visits the hostile page and waits for what the server answers to its form. */
async function fallFor(visitor: Page): Promise<{ status: number; heading: string }> {
  const answered = visitor.waitForResponse((response) => response.request().method() === "POST");
  await visitor.goto(hostile.origin).catch(() => null);
  const status = (await answered).status();
  const heading = (await visitor.getByRole("heading", { level: 1 }).textContent()) ?? "";
  return { status, heading };
}

async function hasCome(app: ConnectingApp): Promise<boolean> {
  return Promise.race([app.answer().then(() => true), new Promise<false>((done) => setImmediate(() => done(false)))]);
}

describe("a forged form", () => {
  it("with a handle that another browser was given is refused", async () => {
    const app = await apps.connect();
    const attacker = await newPerson(browser);
    const theirs = await attacker.context.newPage();
    await theirs.goto(app.url);
    bait = formThatSendsItself(await handleOn(theirs));
    const { status } = await fallFor(page);
    expect(status).toBe(400);
    expect(await hasCome(app)).toBe(false);
    await attacker.context.close();
  });

  it("of another origin is refused even with the handle and the cookie of this browser", async () => {
    const app = await apps.connect();
    await page.goto(app.url);
    bait = formThatSendsItself(await handleOn(page));
    // Same host, another port: the browser sends the cookie along.
    const { status, heading } = await fallFor(await person.context.newPage());
    expect({ status, heading }).toEqual({ status: 400, heading: "This decision came from another page" });
    expect(await hasCome(app)).toBe(false);
    // The form was not used up: the person still decides.
    await page.getByLabel("Your user name").fill(freshUser());
    await page.getByRole("button", { name: "Allow" }).click();
    expect((await app.answer()).has("code")).toBe(true);
  });

  it.each([
    ["no cookie", {}],
    ["the cookie of another form", { cookie: `__Host-holdfast-consent-${"0".repeat(16)}=${"0".repeat(64)}` }],
    ["the origin of another site", { origin: "https://elsewhere.example" }],
    ["the origin of a sandbox", { origin: "null" }],
  ])("sent by a program with %s is refused", async (_, headers) => {
    const app = await apps.connect();
    await page.goto(app.url);
    const cookies = await person.context.cookies();
    const own = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const response = await fetch(`${url}/authorize`, {
      method: "POST",
      redirect: "manual",
      headers: "origin" in headers ? { cookie: own, ...headers } : { origin: url, ...headers },
      body: new URLSearchParams({ handle: await handleOn(page), user: "victim", decision: "approve" }),
    });
    expect(response.status).toBe(400);
    expect(response.headers.has("location")).toBe(false);
  });
});

describe("a form sent again", () => {
  it("is refused after it was allowed, though handle and cookie are right", async () => {
    const app = await apps.connect();
    await page.goto(app.url);
    const handle = await handleOn(page);
    const cookies = await person.context.cookies();
    await page.getByLabel("Your user name").fill(freshUser());
    await page.getByRole("button", { name: "Allow" }).click();
    await app.answer();
    const response = await fetch(`${url}/authorize`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: url, cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") },
      body: new URLSearchParams({ handle, user: "victim", decision: "approve" }),
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("This page is no longer valid");
  });

  it("from the browser's history shows a fresh page instead of the used one", async () => {
    const app = await apps.connect();
    await page.goto(app.url);
    const used = await handleOn(page);
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByText("Back in the app").waitFor();
    await page.goBack();
    expect(await handleOn(page)).not.toBe(used);
  });

  it("twenty times at once goes through once", async () => {
    const app = await apps.connect();
    await page.goto(app.url);
    const handle = await handleOn(page);
    const cookie = (await person.context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const response = await fetch(`${url}/authorize`, {
          method: "POST",
          redirect: "manual",
          headers: { origin: url, cookie },
          body: new URLSearchParams({ handle, user: freshUser(), decision: "approve" }),
        });
        await response.text();
        return response.status;
      }),
    );
    expect(statuses.filter((status) => status === 302)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(19);
  });
});

describe("a framed page", () => {
  it.each(["consent", "home", "error"])("does not show: %s", async (kind) => {
    const target = kind === "consent" ? (await apps.connect()).url : kind === "home" ? url : `${url}/authorize`;
    bait = `<h1>Win a prize</h1><iframe src="${target.replaceAll("&", "&amp;")}" width="600" height="600"></iframe>`;
    const answered = page.waitForResponse((response) => response.url().startsWith(url));
    await page.goto(hostile.origin);
    await answered;
    await expect.poll(() => person.complaints.join("\n")).toMatch(/frame/i);
    const frame = page.frames().find((one) => one !== page.mainFrame());
    expect(frame?.url()).toMatch(/^chrome-error:/);
    expect(await frame?.locator("body").textContent()).not.toContain("Holdfast");
  });
});

describe("what the browser is told", () => {
  it("binds the form by a cookie that only this host gets, no script reads and the decision ends", async () => {
    const app = await apps.connect();
    await page.goto(app.url);
    const [cookie, ...others] = await person.context.cookies();
    expect(others).toEqual([]);
    // Browsers take a __Host- cookie from loopback without https; elsewhere https is a must.
    expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: "Lax", path: "/" });
    expect(cookie?.name).toMatch(/^__Host-holdfast-consent-/);
    expect(cookie?.domain).toBe(new URL(url).hostname);
    await page.getByRole("button", { name: "Deny" }).click();
    await app.answer();
    await page.getByText("Back in the app").waitFor();
    expect(await person.context.cookies()).toEqual([]);
  });

  it("forbids scripts, frames and foreign sources by a policy that nothing on the pages violates", async () => {
    for (const target of [(await apps.connect()).url, url, `${url}/authorize`]) {
      const response = await page.goto(target);
      const policy = response?.headers()["content-security-policy"] ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).not.toContain("unsafe");
      expect(response?.headers()["x-frame-options"]).toBe("DENY");
    }
    expect(person.complaints).toEqual([]);
  });

  it("shows an app's name as text, whatever it holds", async () => {
    const name = `<img src=x onerror=alert(1)>\u202e"'&`;
    const app = await apps.connect({ name });
    await page.goto(app.url);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain(name);
    expect(await page.locator("img").count()).toBe(0);
    expect(person.complaints).toEqual([]);
  });
});
