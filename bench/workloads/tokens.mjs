// Workload 10: what tools/list costs a model, in tokens, for each family of tools.
import { encode } from "gpt-tokenizer";
import { signIn } from "../harness/holdfast.mjs";
import { startProduct } from "../harness/runtime.mjs";
import { connectStdio, startServerFilesystem } from "../peers/server-filesystem.mjs";

const families = ["text", "snapshot", "zip", "context"];

export async function run() {
  const server = await startProduct();
  const filesystem = await startServerFilesystem();
  const memory = await connectStdio("server-memory");
  try {
    const figures = {};
    for (const family of [...families, "all"]) {
      const query = family === "all" ? "" : `?tools=${family}`;
      const root = await signIn(server.url, "lister", { query });
      const { tools } = await root.request("tools/list");
      Object.assign(figures, tokensOf(`Holdfast, ${family}`, tools));
      root.close();
    }
    const files = await connectStdio("server-filesystem", [filesystem.folder]);
    Object.assign(figures, tokensOf("server-filesystem", (await files.listTools()).tools));
    Object.assign(figures, tokensOf("server-memory", (await memory.listTools()).tools));
    await files.close();
    return {
      title: "tokens of tools/list per family (gpt-tokenizer, o200k_base)",
      figures,
      asked: [
        {
          text: "text family : server-filesystem, both without output schemas",
          ours: figures["Holdfast, text, without output schemas"].tokens,
          peer: figures["server-filesystem, without output schemas"].tokens,
          most: 1,
        },
      ],
      notes: ["The text family includes root.info and the file tools. Counted is the compact JSON of the tools array."],
    };
  } finally {
    await Promise.all([server.stop(), filesystem.stop(), memory.close()]);
  }
}

function tokensOf(label, tools) {
  const bare = tools.map(({ outputSchema: _, ...tool }) => tool);
  return {
    [label]: { tools: tools.length, tokens: encode(JSON.stringify(tools)).length },
    [`${label}, without output schemas`]: { tools: tools.length, tokens: encode(JSON.stringify(bare)).length },
  };
}
