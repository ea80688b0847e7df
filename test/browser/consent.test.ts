// The login and consent page as a person uses it in a real browser: allow, deny, narrow, mistakes, without JavaScript, by keyboard.
// What the page must withstand is in forgery.test.ts, how it looks in looks.test.ts.
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { freshUser } from "../harness/login";
import { modernRequest } from "../harness/raw-mcp";
import { Apps, type ConnectingApp, startSite } from "./app";
import { launchChromium, newPerson, type Person } from "./chromium";

const url = inject("url");
const apps = new Apps(url);
let browser: Browser;
let person: Person;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await apps.stop();
});
beforeEach(async () => {
  person = await newPerson(browser);
  page = await person.context.newPage();
});
afterEach(() => person.context.close());

const button = (name: string) => page.getByRole("button", { name, exact: true });

async function allowAs(user: string): Promise<void> {
  await page.getByLabel("Your user name").fill(user);
  await button("Allow").click();
}

/** The app's token works, and has at the server the scopes that the app was told. */
async function grantOf(app: ConnectingApp): Promise<{ token: string; scopes: string[] }> {
  const { access_token: token, scope } = await app.tokens();
  const answer = await modernRequest(url, token, "tools/call", { name: "root.info", arguments: {} });
  expect(answer.status, answer.text).toBe(200);
  const { scopes } = answer.body.result.structuredContent;
  expect(scopes.join(" ")).toBe(scope);
  return { token, scopes };
}

async function grantedTo(app: ConnectingApp): Promise<string[]> {
  return (await grantOf(app)).scopes;
}

describe("a person who is asked to connect an app", () => {
  it("reads which app asks, where access goes and what it asks for", async () => {
    const app = await apps.connect({ name: "Paper Lantern", scope: "read:/ write:/" });
    await page.goto(app.url);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Let Paper Lantern use your files?");
    const facts = (await page.locator("dl").textContent()) ?? "";
    expect(facts).toContain("Paper Lantern (name not verified)");
    expect(facts).toContain(new URL(app.redirectUri).host);
    // read:/ lies within write:/ and is not said twice.
    expect(facts).toMatch(/It asks to\s*Read and change all your files$/);
  });

  it("allows it, and the app gets a code with its state and the issuer, and a token with what it asked for", async () => {
    const app = await apps.connect();
    await page.goto(app.url);
    await allowAs(freshUser());
    await page.getByText("Back in the app").waitFor();
    const answer = await app.answer();
    expect(answer.get("state")).toBe(app.state);
    expect(answer.get("iss")).toBe(url);
    expect(await grantedTo(app)).toEqual(["read:/", "write:/"]);
    expect(person.complaints).toEqual([]);
  });

  it("denies it without giving a name, and the app gets access_denied with its state and the issuer", async () => {
    const app = await apps.connect();
    await page.goto(app.url);
    await button("Deny").click();
    await page.getByText("Back in the app").waitFor();
    const answer = await app.answer();
    expect(Object.fromEntries(answer)).toMatchObject({ error: "access_denied", state: app.state, iss: url });
    expect(answer.has("code")).toBe(false);
  });

  it("narrows the app to reading", async () => {
    const app = await apps.connect();
    await page.goto(app.url);
    await page.getByLabel("Only read files").check();
    await allowAs(freshUser());
    expect(await grantedTo(app)).toEqual(["read:/"]);
  });

  it("narrows the app to one folder, and the server holds it to that", async () => {
    const app = await apps.connect();
    await page.goto(app.url);
    await page.getByLabel("Only in one folder").check();
    await page.getByLabel("Folder", { exact: true }).fill("notes/letters");
    await allowAs(freshUser());
    const { token, scopes } = await grantOf(app);
    expect(scopes).toEqual(["read:/notes/letters/", "write:/notes/letters/"]);
    const statusOf = async (uri: string) => (await modernRequest(url, token, "resources/read", { uri })).status;
    expect(await statusOf("list://notes")).toBe(403);
    expect(await statusOf("list://notes/letters")).not.toBe(403);
  });

  it("narrows a request of several scopes to reading one folder", async () => {
    const app = await apps.connect({ scope: "read:/work/ write:/notes/ read:/inbox/*" });
    await page.goto(app.url);
    expect(await page.locator("dd li").allTextContents()).toEqual([
      "Read /work and everything in it",
      "Read and change /notes and everything in it",
      "Read /inbox and the files directly in it",
    ]);
    await page.getByLabel("Only read files").check();
    await page.getByLabel("Only in one folder").check();
    await page.getByLabel("Folder", { exact: true }).fill("/notes/today");
    await allowAs(freshUser());
    expect(await grantedTo(app)).toEqual(["read:/notes/today/"]);
  });

  it("is not asked what the app may do when it only wants to read", async () => {
    const app = await apps.connect({ scope: "read:/work/" });
    await page.goto(app.url);
    expect(await page.getByText("What may it do?").count()).toBe(0);
    await allowAs(freshUser());
    expect(await grantedTo(app)).toEqual(["read:/work/"]);
  });

  it("reaches an app whose callback leads on to another origin", async () => {
    const elsewhere = await startSite((_, response) => void response.end("elsewhere"));
    try {
      const app = await apps.connect({ leadsTo: elsewhere.origin });
      await page.goto(app.url);
      await allowAs(freshUser());
      await page.getByText("elsewhere").waitFor();
      expect(person.complaints).toEqual([]);
    } finally {
      await elsewhere.stop();
    }
  });
});

describe("a person who makes a mistake", () => {
  it("is told which user names there are, and goes on with what was chosen before", async () => {
    const app = await apps.connect();
    await page.goto(app.url);
    await page.getByLabel("Only read files").check();
    await allowAs("No Name");
    expect(await page.getByRole("alert").textContent()).toContain("A user name is 1 to 64 lower-case letters");
    const field = page.getByLabel("Your user name");
    expect(await field.inputValue()).toBe("No Name");
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByLabel("Only read files").isChecked()).toBe(true);
    await allowAs(freshUser());
    expect(await grantedTo(app)).toEqual(["read:/"]);
  });

  it.each([
    ["", "Name the folder"],
    ["../etc", 'leaves the root through ".."'],
    ["C:\\Users", "backslash"],
  ])("cannot narrow to the folder %j", async (folder, complaint) => {
    const app = await apps.connect();
    await page.goto(app.url);
    await page.getByLabel("Only in one folder").check();
    await page.getByLabel("Folder", { exact: true }).fill(folder);
    await allowAs(freshUser());
    expect(await page.getByRole("alert").textContent()).toContain(complaint);
    expect(await page.getByLabel("Folder", { exact: true }).getAttribute("aria-invalid")).toBe("true");
  });

  it("cannot narrow to a folder outside of what the app asks for", async () => {
    const app = await apps.connect({ scope: "write:/notes/" });
    await page.goto(app.url);
    await page.getByLabel("Only in one folder").check();
    await page.getByLabel("Folder", { exact: true }).fill("/work");
    await allowAs(freshUser());
    expect(await page.getByRole("alert").textContent()).toContain("asked for nothing in /work");
  });

  it("does not grant everything by naming a folder and forgetting to choose it", async () => {
    const app = await apps.connect();
    await page.goto(app.url);
    await page.getByLabel("Folder", { exact: true }).fill("/notes");
    await allowAs(freshUser());
    expect(await page.getByRole("alert").textContent()).toContain("You named a folder");
    expect(await page.getByLabel("Only in one folder").isChecked()).toBe(true);
    await button("Allow").click();
    expect(await grantedTo(app)).toEqual(["read:/notes/", "write:/notes/"]);
  });

  it("is told in plain words when the app is unknown here", async () => {
    const response = await page.goto(`${url}/authorize?response_type=code&client_id=unknown`);
    expect(response?.status()).toBe(400);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("This app cannot be connected");
    expect(await page.locator("main").textContent()).toContain("start connecting from your app once more");
  });
});

describe("the page asks for no more than it needs", () => {
  it("works without JavaScript", async () => {
    const scriptless = await newPerson(browser, { javaScriptEnabled: false });
    try {
      page = await scriptless.context.newPage();
      const app = await apps.connect();
      await page.goto(app.url);
      await page.getByLabel("Only in one folder").check();
      await page.getByLabel("Folder", { exact: true }).fill("/notes");
      await allowAs(freshUser());
      expect(await grantedTo(app)).toEqual(["read:/notes/", "write:/notes/"]);
    } finally {
      await scriptless.context.close();
    }
  });

  it("works by keyboard alone", async () => {
    const app = await apps.connect();
    await page.goto(app.url);
    const press = (...keys: string[]) =>
      keys.reduce<Promise<void>>((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
    await press("Tab");
    await page.keyboard.type(freshUser());
    // To the access group and its second choice, to the place group and its second choice, to the folder, to Allow.
    await press("Tab", "ArrowDown", "Tab", "ArrowDown", "Tab");
    await page.keyboard.type("/notes");
    await press("Tab", "Enter");
    await page.getByText("Back in the app").waitFor();
    expect(await grantedTo(app)).toEqual(["read:/notes/"]);
  });
});
