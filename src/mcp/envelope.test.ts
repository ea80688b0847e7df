// What a fault of ours tells a client: nothing of its cause. Not here: expected errors, and faults outside of tools.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { internalError } from "./envelope";

describe("a fault of ours", () => {
  const logged = vi.spyOn(console, "error");
  beforeAll(() => void logged.mockImplementation(() => undefined));
  afterAll(() => logged.mockRestore());

  it.each([
    ["zipfs_ls", "INTERNAL_ERROR", /^Internal error\.$/],
    ["text.read", "INTERNAL", /^Internal error [0-9a-f-]{36}\. Nothing was changed\. Try again\.$/],
  ])("zipfs.md §2.5: of %s has its code and no internals; the log has the cause by its id", (tool, code, message) => {
    const { isError, structuredContent, content } = internalError(new Error("no such table: nodes"), tool);
    const { error } = structuredContent as { error: { code: string; message: string; details: { id: string } } };
    expect(isError).toBe(true);
    expect(error).toEqual({ code, message: expect.stringMatching(message), details: { id: expect.any(String) } });
    expect(content).toEqual([{ type: "text", text: JSON.stringify(structuredContent) }]);
    expect(JSON.stringify(content)).not.toContain("nodes");
    const [line] = logged.mock.lastCall ?? [];
    expect(JSON.parse(line)).toMatchObject({ id: error.details.id, tool, cause: expect.stringContaining("nodes") });
  });
});
