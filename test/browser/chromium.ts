// A real headless Chromium for the tests of the pages, one per test file. The configuration leaves these files out where none is found.
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";
import { findChromium } from "../harness/chromium";

export interface Person {
  readonly context: BrowserContext;
  /** What the browser complained about, such as a violated policy. */
  readonly complaints: readonly string[];
}

export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("no Chrome or Chromium found; set CHROMIUM_PATH");
  return chromium.launch({ executablePath });
}

/** A browser profile of its own: no cookie of another test. */
export async function newPerson(browser: Browser, options: BrowserContextOptions = {}): Promise<Person> {
  const context = await browser.newContext(options);
  const complaints: string[] = [];
  context.on("console", (message) => {
    // A page with a status of 400 is logged too; that is no fault of the page.
    if (["error", "warning"].includes(message.type()) && !message.text().startsWith("Failed to load resource"))
      complaints.push(message.text());
  });
  context.on("weberror", (error) => complaints.push(String(error.error())));
  return { context, complaints };
}
