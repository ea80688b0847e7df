// How the pages for people are made, seen by a real browser: narrow screens, dark mode, labels and headings, the copy buttons.
// It does not judge beauty.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { Apps } from "./app";
import { launchChromium, newPerson } from "./chromium";
import { measureContrast, measureWidth, readClipboard, unlabelledFields } from "./in-page";

const url = inject("url");
const apps = new Apps(url);
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await apps.stop();
});

/** Every page, and the states of the consent page that differ in what they show. */
const pages: Record<string, (page: Page) => Promise<unknown>> = {
  home: (page) => page.goto(url),
  consent: async (page) => page.goto((await apps.connect()).url),
  "consent for many scopes and a long name": async (page) => {
    const scope = `write:/${"very-long-name/".repeat(12)} read:/work/ read:/inbox/*`;
    await page.goto((await apps.connect({ name: `Lantern${"n".repeat(300)}`, scope })).url);
  },
  "consent after a mistake": async (page) => {
    await page.goto((await apps.connect()).url);
    await page.getByLabel("Your user name").fill("No Name");
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByRole("alert").waitFor();
  },
  error: (page) => page.goto(`${url}/authorize`),
};

async function opened(name: string, options: Parameters<typeof newPerson>[1], look: (page: Page) => Promise<void>) {
  const { context } = await newPerson(browser, options);
  try {
    const page = await context.newPage();
    await pages[name]?.(page);
    await look(page);
  } finally {
    await context.close();
  }
}

describe.each(Object.keys(pages))("%s", (name) => {
  it.each([320, 390])("fits a screen of %i pixels without scrolling sideways", async (width) => {
    await opened(name, { viewport: { width, height: 844 }, isMobile: true, hasTouch: true }, async (page) => {
      // From the last on: the locator counts only those that are still closed.
      const closed = await page.locator("details:not([open]) > summary").all();
      for (const summary of closed.reverse()) await summary.click();
      const { content, screen } = await page.evaluate(measureWidth);
      expect(screen).toBe(width);
      expect(content).toBeLessThanOrEqual(width);
    });
  });

  it("is readable in light and in dark, which differ", async () => {
    const backgrounds: string[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      await opened(name, { colorScheme }, async (page) => {
        const { paper, contrasts } = await page.evaluate(measureContrast);
        backgrounds.push(paper);
        expect(contrasts.length).toBeGreaterThan(2);
        // WCAG 2.2 AA for text of normal size.
        for (const { text, ratio } of contrasts) expect(ratio, `${colorScheme}: ${text}`).toBeGreaterThanOrEqual(4.5);
      });
    }
    expect(backgrounds[0]).not.toBe(backgrounds[1]);
  });

  it("has a language, a title, one main heading, and a label for every field", async () => {
    await opened(name, {}, async (page) => {
      expect(await page.locator("html").getAttribute("lang")).toBe("en");
      expect(await page.title()).toContain("Holdfast");
      expect(await page.locator("h1").count()).toBe(1);
      expect(await page.locator("main").count()).toBe(1);
      expect(await page.evaluate(unlabelledFields)).toEqual([]);
    });
  });
});

describe("the copy buttons of the home page", () => {
  it("copy the MCP URL and the command beside them", async () => {
    await opened("home", { permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
      const copied = () => page.evaluate(readClipboard);
      await page.getByRole("button", { name: "Copy the MCP URL" }).click();
      await page.getByText("Copied").waitFor();
      expect(await copied()).toBe(`${url}/mcp`);
      await page.getByRole("button", { name: "Copy this step for Claude Code" }).click();
      await expect.poll(copied).toBe(`claude mcp add --transport http holdfast ${url}/mcp`);
    });
  });

  it("are not there without JavaScript, where the URL is still shown", async () => {
    await opened("home", { javaScriptEnabled: false }, async (page) => {
      expect(await page.getByRole("button").count()).toBe(0);
      expect(await page.getByText(`${url}/mcp`, { exact: true }).first().isVisible()).toBe(true);
    });
  });
});
