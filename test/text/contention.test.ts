// Many writers on one file: of different edits of one version exactly one wins, and no acknowledged edit is ever lost.
import { beforeAll, describe, expect, it } from "vitest";
import { counts } from "../counts";
import { type Era, eras, type Refusal, TextRoot } from "./text-root";

const clientCount = 16;
const path = "/shared.md";

let owner: TextRoot;
beforeAll(async () => {
  owner = await TextRoot.signIn();
});

/** A client of its own of the same user. */
const client = (era: Era) => TextRoot.withToken(owner.url, owner.user, owner.token, era);

describe("32 parallel edits of one version", () => {
  it.each(eras)("MCP-034 one wins and 31 are told HASH_MISMATCH (%s)", async (era) => {
    const clients = await Promise.all(Array.from({ length: 4 }, () => client(era)));
    for (const [tool, args] of [
      ["text.append", (n: number) => ({ content: `${n}\n` })],
      ["text.insert", (n: number) => ({ line: 1, anchor: "first", content: `${n}` })],
      ["text.replace", (n: number) => ({ lines: [1, 0], old: "first", new: `${n}` })],
    ] as const) {
      const file = `/race/${era}/${tool}`;
      const hash = await owner.create(file, "first\n");
      const answers = await Promise.all(
        Array.from({ length: 32 }, (_, n) =>
          (clients[n % 4] as TextRoot).result(tool, { path: file, hash, ...args(n) }),
        ),
      );
      const won = answers.filter(({ isError }) => !isError);
      const lost = answers.filter(({ isError }) => isError).map(({ value }) => value.error as Refusal);
      expect(won).toHaveLength(1);
      expect(lost.map(({ code }) => code)).toEqual(Array(31).fill("HASH_MISMATCH"));
      const current = await owner.read(file);
      expect(current.hash).toBe(won[0]?.value.hash);
      for (const { details } of lost) expect(details?.current_hash).toBe(current.hash);
    }
  });

  it.each(eras)("MCP-011 MCP-034 of a removal and edits in parallel one wins (%s)", async (era) => {
    const one = await client(era);
    const file = `/race/${era}/removed`;
    const hash = await owner.create(file, "x\n");
    const answers = await Promise.all([
      ...Array.from({ length: 7 }, (_, n) => one.result("text.append", { path: file, hash, content: `${n}\n` })),
      one.result("file.remove", { path: file, hash }),
    ]);
    expect(answers.filter(({ isError }) => !isError)).toHaveLength(1);
    const codes = new Set(answers.filter(({ isError }) => isError).map(({ value }) => (value.error as Refusal).code));
    const removed = !answers.at(-1)?.isError;
    expect(codes).toEqual(new Set([removed ? "NOT_FOUND" : "HASH_MISMATCH"]));
  });
});

describe("16 clients that read, edit and retry on one file", () => {
  it(
    "MCP-032 MCP-034 every acknowledged edit is in the file, once",
    async () => {
      await owner.create(path, "begin\nend\n");
      const clients = await Promise.all(
        Array.from({ length: clientCount }, (_, n) => client(eras[n % eras.length] as Era)),
      );
      const acknowledged = await Promise.all(clients.map((one, n) => editInTurn(one, n)));
      const lines = (await owner.read(path, [1, 0])).content.split("\n");
      expect(lines.shift()).toBe("begin");
      expect(lines.splice(-2)).toEqual(["end", ""]);
      expect(lines.toSorted()).toEqual(acknowledged.flat().sort());
      expect(lines).toHaveLength(clientCount * counts.contentionLoops);
    },
    counts.deep ? 1_800_000 : 120_000,
  );
});

/** Adds line after line before the last, each until it is acknowledged; gives the lines. */
async function editInTurn(root: TextRoot, client: number): Promise<string[]> {
  const added: string[] = [];
  for (let loop = 0; loop < counts.contentionLoops; loop++) {
    const line = `client ${client} loop ${loop}`;
    const [tool, args] =
      loop % 2 === 0
        ? (["text.insert", { line: -1, anchor: "end", content: line }] as const)
        : (["text.replace", { lines: [-1, 0], old: "end", new: `${line}\nend` }] as const);
    let { hash } = await root.read(path, [-1, 0]);
    for (let attempt = 0; ; attempt++) {
      expect(attempt).toBeLessThan(clientCount * counts.contentionLoops);
      const { isError, value } = await root.result(tool, { path, hash, ...args });
      if (!isError) break;
      const { code, details } = value.error as Refusal;
      expect(code).toBe("HASH_MISMATCH");
      // With the diff in sight the new hash may be used at once; who was too late again waits a while and reads.
      const seen = attempt % 2 === 0 ? (details?.current_hash as string | undefined) : undefined;
      if (seen === undefined) await new Promise((done) => setTimeout(done, Math.random() * 20 * clientCount));
      hash = seen ?? (await root.read(path, [-1, 0])).hash;
    }
    added.push(line);
  }
  return added;
}
