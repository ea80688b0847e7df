import { contextBuildCache } from "./build-cache";
import { contextInspectCache } from "./inspect-cache";
import { contextListCaches } from "./list-caches";
import { contextPlan } from "./plan";
import { contextResolve } from "./resolve";
import { contextVerifyCache } from "./verify-cache";

/** The context family: the tools of seed 004 first, then those beyond it. */
export const contextTools = [
  contextResolve,
  contextListCaches,
  contextInspectCache,
  contextPlan,
  contextBuildCache,
  contextVerifyCache,
] as const;
