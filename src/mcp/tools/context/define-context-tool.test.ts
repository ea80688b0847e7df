/** The envelope of the context family: exact text, canonical errors, faults of ours, answers over the limit. Not here: the tools themselves. */
import { ProtocolError, type ServerContext } from "@modelcontextprotocol/server";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { ContextError } from "../../../domain/context/errors";
import { ok, type Result } from "../../../domain/result";
import { type CallContext, RefusedByRoot } from "../../call-context";
import { type ContextAnswer, defineContextTool } from "./define-context-tool";

const log = vi.spyOn(console, "error").mockImplementation(() => {});
beforeEach(() => {
  log.mockClear();
});
afterEach(() => {
  vi.clearAllMocks();
});

type Run = () => Promise<Result<ContextAnswer, ContextError>>;

async function call(run: Run, more: { hasDetails?: true } = {}) {
  const tool = defineContextTool({
    name: "context.sample",
    title: "Sample",
    description: "For this test.",
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    input: { properties: {} },
    output: z.strictObject({}),
    plan: () => ({ needs: [], run }),
    ...more,
  });
  const prepared = tool.prepare(undefined);
  if (!prepared.ok) throw new Error("it was refused");
  return (await prepared.value.run({} as CallContext, {} as ServerContext)) as {
    content: { text: string }[];
    structuredContent: unknown;
    isError?: boolean;
    _meta?: Record<string, string>;
  };
}

describe("an answer", () => {
  it("is the exact text, and its parse", async () => {
    const text = '{"score":1.0,"a":[ ]}\n';
    expect(await call(async () => ok({ text }))).toEqual({
      content: [{ type: "text", text }],
      structuredContent: { score: 1, a: [] },
    });
  });

  it("over 16 MiB of JSON is invalid_budget, with the reason beside it", async () => {
    const text = JSON.stringify({ content: "\u0001".repeat(1_500_000) });
    const { content, isError, _meta } = await call(async () => ok({ text }));
    expect(content).toEqual([
      { type: "text", text: '{"error":{"code":"invalid_budget","message":"Budget is invalid"}}\n' },
    ]);
    expect(isError).toBe(true);
    expect(_meta?.["holdfast/hint"]).toContain("16777216");
  });
});

describe("seed 004 internal_error: a fault of ours", () => {
  it("is canonical, tells nothing of its cause, and stands in the log under the id beside it", async () => {
    const result = await call(async () => {
      throw new TypeError("secret/path is not a function");
    });
    const body = { error: { code: "internal_error", message: "Internal error" } };
    expect(result.content).toEqual([{ type: "text", text: `${JSON.stringify(body)}\n` }]);
    expect(result.structuredContent).toEqual(body);
    expect(result.isError).toBe(true);
    const id = result._meta?.["holdfast/error_id"] ?? "none";
    const logged = log.mock.calls.map(([line]) => JSON.parse(String(line)));
    expect(logged).toEqual([
      { level: "error", id, tool: "context.sample", cause: expect.stringContaining("secret/path is not a function") },
    ]);
    expect(JSON.stringify(result)).not.toContain("secret");
  });

  it("has details in the tools beyond the seed", async () => {
    const fault = async () => {
      throw new Error("x");
    };
    const { structuredContent, _meta } = await call(fault, { hasDetails: true });
    const id = _meta?.["holdfast/error_id"];
    expect(structuredContent).toEqual({
      error: {
        code: "internal_error",
        message: "Internal error",
        details: { reason: "internal", message: `Internal error ${id}. Nothing was changed. Try again.` },
      },
    });
  });

  it("is not what a refused caller gets: that becomes an HTTP status", async () => {
    for (const cause of [new RefusedByRoot("token_revoked"), new ProtocolError(-32602, "x")]) {
      await expect(
        call(async () => {
          throw cause;
        }),
      ).rejects.toBe(cause);
    }
    expect(log).not.toHaveBeenCalled();
  });
});
