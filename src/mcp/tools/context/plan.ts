import { z } from "zod";
import { parseQuestion } from "../../../domain/context/question";
import { err, ok } from "../../../domain/result";
import { readCache } from "./cache-argument";
import { defineContextTool } from "./define-context-tool";
import { questionInput, reading, selectionOutput, weightOutput, whyOutput } from "./shapes";

/** context.md §5.5. */
export const contextPlan = defineContextTool({
  name: "context.plan",
  title: "Plan context",
  description:
    "Show which documents context.resolve would select and why, and what the budget leaves out, without their contents.",
  annotations: reading,
  input: questionInput,
  output: z.strictObject({
    documents: z.array(
      z.strictObject({ id: z.string(), version: z.string(), source: z.string(), ...weightOutput, why: whyOutput }),
    ),
    excluded: z.array(z.strictObject({ id: z.string(), ...weightOutput })),
    excluded_truncated: z.boolean(),
    selection: selectionOutput,
  }),
  plan(raw) {
    const { path, needs } = readCache(raw);
    return {
      needs,
      async run(context) {
        const question = parseQuestion(raw);
        if (!question.ok) return question;
        if (path === null) return err({ code: "cache_missing" });
        const answer = await context.ask((root, caller) => root.planCache(caller, path, question.value));
        return answer.ok ? ok({ text: answer.value }) : answer;
      },
    };
  },
});
