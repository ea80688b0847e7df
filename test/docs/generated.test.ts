/**
 * docs/tools.md and docs/limits.md say what the code says. `npm run docs` writes them anew.
 * Not here: whether the descriptions are good.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { limitsDocument } from "./limits-document";
import { toolsDocument } from "./tools-document";

const documents = { "docs/tools.md": toolsDocument, "docs/limits.md": limitsDocument };

describe("the generated documents", () => {
  it.each(Object.entries(documents))("%s is up to date; npm run docs makes it so", (file, generate) => {
    const text = generate();
    if (process.env.HOLDFAST_WRITE_DOCS === "1") writeFileSync(file, text);
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});
