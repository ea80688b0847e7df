import { z } from "zod";
import { parseQuestion } from "../../../domain/context/question";
import { err, ok } from "../../../domain/result";
import { readCache } from "./cache-argument";
import { defineContextTool } from "./define-context-tool";
import { questionInput, reading, selectionOutput, weightOutput, whyOutput } from "./shapes";

/** Seed 004; context.md §5. Its text ends with a newline. */
export const contextResolve = defineContextTool({
  name: "context.resolve",
  title: "Resolve context",
  description:
    "Select the documents of a cache that best match a query within a token budget. The same cache, query and budget always give the same bytes.",
  annotations: reading,
  input: questionInput,
  output: z.strictObject({
    documents: z.array(
      z.strictObject({ id: z.string(), version: z.string(), content: z.string(), ...weightOutput, why: whyOutput }),
    ),
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
        const answer = await context.ask((root, caller) => root.resolveCache(caller, path, question.value));
        return answer.ok ? ok({ text: `${answer.value}\n` }) : answer;
      },
    };
  },
});
