// Names and behaviour of the fixtures are fixed by the conformance runner; each group stands in a file of its own.
import type { Catalog } from "../../src/mcp/catalog";
import { buildRegistry } from "../../src/mcp/registry";
import { askingTools } from "./fixtures/asking-tools";
import { contentTools } from "./fixtures/content-tools";
import { inputTools } from "./fixtures/input-tools";
import { notifyingTools } from "./fixtures/notifying-tools";
import { prompts } from "./fixtures/prompts";
import { requestStates } from "./fixtures/request-states";
import { resources } from "./fixtures/resources";
import { schemaTools } from "./fixtures/schema-tools";

export const catalog: Catalog = {
  name: "holdfast-conformance",
  title: "Fixtures for the conformance runner",
  version: "1.0.0",
  instructions: "Fixtures for the conformance runner.",
  tools: buildRegistry([...contentTools, ...notifyingTools, ...askingTools, ...inputTools, ...schemaTools]),
  resources,
  prompts,
  requestState: { verify: requestStates.verify },
};
