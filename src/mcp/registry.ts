import type { Tool as ToolListing } from "@modelcontextprotocol/server";
import { underscoreName } from "../domain/tool-names";
import { type Family, families, type RegisteredTool } from "./tool";

export type NameForm = "dotted" | "underscore";

/** All tools of the product, built once; a request only picks from it. */
export interface Registry {
  /** The families that have tools. */
  readonly families: ReadonlySet<Family>;
  list(form: NameForm, offered: ReadonlySet<Family>): readonly ToolListing[];
  find(name: string, offered: ReadonlySet<Family>): RegisteredTool | undefined;
}

export function buildRegistry(tools: readonly RegisteredTool[]): Registry {
  const byName = new Map<string, RegisteredTool>();
  for (const tool of tools) for (const name of [tool.name, underscoreName(tool.name)]) byName.set(name, tool);
  const listings: Record<NameForm, readonly ToolListing[]> = {
    dotted: tools.map((tool) => tool.listing),
    underscore: tools.map((tool) => ({ ...tool.listing, name: underscoreName(tool.name) })),
  };
  const isOffered = (tool: RegisteredTool, offered: ReadonlySet<Family>) =>
    tool.family === null || offered.has(tool.family);
  const present = new Set(tools.map((tool) => tool.family).filter((family) => family !== null));
  return {
    families: present,
    list(form, offered) {
      if (offered === present) return listings[form];
      return listings[form].filter((_, index) => isOffered(tools[index] as RegisteredTool, offered));
    },
    find(name, offered) {
      const tool = byName.get(name);
      return tool !== undefined && isOffered(tool, offered) ? tool : undefined;
    },
  };
}

/** `?tools=text,zip`, of those that there are; null for a word that is no family. */
export function parseFamilies(text: string | null, present: ReadonlySet<Family>): ReadonlySet<Family> | null {
  if (text === null) return present;
  const words = text.split(",").map((word) => word.trim());
  if (!words.every((word) => families.includes(word as Family))) return null;
  return new Set((words as Family[]).filter((family) => present.has(family)));
}
