/** A search that comes right after edits sees them in the journal, where they go on waiting. */
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { RootState } from "../../src/root/root-state";
import { clock } from "./clock";
import { interfering, type StorageCall } from "./interference";
import { freshFaultyRoot, freshRoot, okValue, type TestRoot } from "./root";
import { SnapshotTestRoot, value } from "./snapshots/snapshot-root";
import { edited, waitingIn } from "./waiting";

beforeEach(() => {
  clock.reset();
});
afterAll(() => {
  vi.useRealTimers();
});

async function search(root: TestRoot, query: string, paths?: readonly string[]) {
  const { receipt, value: found } = value(await new SnapshotTestRoot(root).grep(query, paths));
  if (receipt.mode !== "worktree") throw new Error("no lease");
  return { ...receipt, found: found.found.map(({ path, lineNumbers }) => `${path}:${lineNumbers}`) };
}

describe("a search among edits that wait", () => {
  it("finds what they put there and nothing that they took away, wherever it looks, and brings none into the tables", async () => {
    const root = freshRoot();
    const hash = okValue(await root.create("/d/e/a", "before\n"));
    okValue(await root.create("/d/b", "before\n"));
    okValue(await root.rewrite("/d/e/a", hash, "after\n"));
    for (const paths of [["/"], ["/d"], ["/d/e"], ["/d/e/a"], ["/d/b", "/d/e/a"]]) {
      expect((await search(root, "after", paths)).found).toEqual(["/d/e/a:1"]);
    }
    expect((await search(root, "before")).found).toEqual(["/d/b:1"]);
    expect(await waitingIn(root)).toBe(1);
    await root.expectSound();
  });

  it("tells the fingerprint that the tables will have, again and again while edits go on", async () => {
    const root = freshRoot();
    await edited(root, "/d/e/a");
    let [, , hash]: string[] = await edited(root, "/b");
    for (let number = 0; number < 6; number++) {
      if (number === 3) okValue(await root.create("/new", "new\n"));
      hash = okValue(await root.append("/b", hash ?? "", `${number}\n`)).hash;
      const { fingerprint } = await search(root, "1");
      expect(await waitingIn(root)).toBeGreaterThan(0);
      if (number % 2 === 1) expect(await root.fingerprint()).toEqual(fingerprint);
    }
    const last = await search(root, "1");
    await root.evict();
    expect((await search(root, "1")).fingerprint).toEqual(last.fingerprint);
    expect(await root.fingerprint()).toEqual(last.fingerprint);
    await root.expectSound();
  });

  it("gives a lease that holds until the next change", async () => {
    const root = freshRoot();
    const [, , hash] = await edited(root);
    const { leaseId } = await search(root, "0");
    const subject = new SnapshotTestRoot(root);
    expect(value(await subject.write("/new", "x", leaseId))).toMatchObject({ created: true });
    const again = await search(root, "0");
    okValue(await root.append("/a", hash, "3\n"));
    expect(await subject.write("/other", "x", again.leaseId)).toMatchObject({ error: { code: "STALE_LEASE" } });
    await root.expectSound();
  });

  it("is followed by a list and a read that see the same, and bring none into the tables either", async () => {
    const root = freshRoot();
    const [, , hash] = await edited(root);
    const subject = new SnapshotTestRoot(root);
    const { leaseId } = await search(root, "0");
    const { value: page } = value(await subject.list(subject.view(leaseId)));
    const { value: read } = value(await subject.read("/a", subject.view(leaseId)));
    expect([new TextDecoder().decode(read.bytes), read.hash]).toEqual(["0\n1\n2\n", hash]);
    expect(page.entries).toEqual([{ path: "/a", type: "file", size: 6, gitOid: read.gitOid }]);
    expect(await waitingIn(root)).toBe(2);
    await root.expectSound();
  });

  it("honours ignore rules that wait", async () => {
    const root = freshRoot();
    okValue(await root.create("/build/out", "found\n"));
    const rules = okValue(await root.create("/.gitignore", "# none\n"));
    expect((await search(root, "found")).found).toEqual(["/build/out:1"]);
    okValue(await root.append("/.gitignore", rules, "build/\n"));
    expect(await waitingIn(root)).toBe(1);
    expect((await search(root, "found")).found).toEqual([]);
  });

  it("searches the text of its fingerprint, also if many edits come while it waits for R2", async () => {
    const root = freshFaultyRoot();
    const [, , hash] = await edited(root);
    okValue(await root.create("/large", `${"a line\n".repeat(200_000)}waits\n`));
    const searched = okValue(await root.append("/a", hash, "waits\n")).hash;
    let came = 0;
    const hold = (inside: TestRoot) => async (call: StorageCall) => {
      if (call.name !== "R2 get" || call.moment !== "after" || came > 0) return;
      // So many that the version which is searched is none that the history keeps.
      for (let newest: string = searched; came < 30; came++) {
        newest = okValue(await inside.rewrite("/a", newest, `other ${came}\n`)).hash;
      }
      await inside.usage();
    };
    const before = await root.attempt((inside) => search(inside, "nowhere"));
    const found = await root.attempt((inside) => interfering(root.id, hold(inside), () => search(inside, "waits")));
    if (before instanceof Error || found instanceof Error) throw before;
    expect(came).toBe(30);
    expect(found).toMatchObject({ found: ["/a:4", "/large:200001"], fingerprint: before.fingerprint });
    expect(await root.sql("SELECT 1 FROM blobs WHERE hash = ?", searched)).toEqual([]);
    await root.expectSound();
  });
});

it("a request of a session brings no edit into the tables", async () => {
  const root = freshRoot();
  await edited(root);
  await root.inObject((instance) => {
    const { sessions } = instance as unknown as {
      sessions: { find(id: string, client: string, now: number): unknown };
    };
    expect(sessions.find("unknown", "client", Date.now())).toBeNull();
  });
  expect(await waitingIn(root)).toBe(2);
});

it("work aside that comes to the tables of the tree is refused, because what waits would be undone with it", async () => {
  const root = freshRoot();
  await edited(root);
  const failure = await root.attempt((inside) =>
    inside.inObject((instance) => {
      const state = (instance as unknown as { root: RootState }).root;
      state.aside(() => state.tree.usage());
    }),
  );
  expect(failure).toBeInstanceOf(Error);
  expect(await waitingIn(root)).toBe(2);
  await root.expectSound();
});
