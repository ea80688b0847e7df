/**
 * Every storage call of an upload and of a link fails once, before and after it takes effect: the file is the old or the new one, nothing in
 * object storage is unknown, a retry succeeds, and no ticket works twice. Object storage itself fails in test/workers/files.test.ts.
 */
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { scanContent } from "../../../src/domain/content-scan";
import type { FileRefusal } from "../../../src/domain/file-refusals";
import { sha256Hex } from "../../../src/domain/hash";
import { blobGraceMs } from "../../../src/domain/limits";
import type { RootPath } from "../../../src/domain/path";
import { onlyCreate, onlyReplace, type PutGuard } from "../../../src/domain/put-guard";
import type { Result } from "../../../src/domain/result";
import type { Reply } from "../../../src/root/contract";
import type { StoredFile } from "../../../src/root/operations/files/put-file";
import { clock } from "../clock";
import { caller, freshFaultyRoot, okValue, type TestRoot } from "../root";
import { stateOf } from "../state";
import { binary, mib } from "../uploads";
import { callsOf, chosenFaults, withFault } from "./failing";

beforeAll(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const path = "/new/folder/file" as RootPath;
const old = "old\n";
const small = new TextEncoder().encode("new\n");
const large = binary(mib + 1);

function admitted<T>(reply: Reply<T>): T {
  if (!reply.admitted) throw new Error(reply.refusal);
  return reply.value;
}

type Stored = Result<StoredFile, FileRefusal>;

/** As the Worker does it: small bytes in one call, large ones by way of object storage. */
function put(root: TestRoot, bytes: Uint8Array, guard: PutGuard): Promise<Stored> {
  const target = { path, guard };
  return root.inObject(async (object): Promise<Stored> => {
    if (bytes.length <= mib) return admitted(object.putBytes(caller, target, bytes));
    const begun = admitted(object.beginUpload(caller, target, bytes.length));
    if (!begun.ok) return begun;
    await env.BLOBS.put(begun.value, bytes);
    return admitted(object.finishUpload(caller, target, begun.value, scanContent(bytes)));
  });
}

interface Scenario {
  readonly title: string;
  prepare(root: TestRoot): Promise<unknown>;
  readonly bytes: Uint8Array;
  readonly guard: PutGuard;
}

const present = async (root: TestRoot) => okValue(await root.create(path, old));
const replacing = onlyReplace(sha256Hex(old));
const scenarios: readonly Scenario[] = [
  { title: "a small upload to a new path", prepare: async () => {}, bytes: small, guard: onlyCreate },
  { title: "a small upload over a file", prepare: present, bytes: small, guard: replacing },
  { title: "a large upload to a new path", prepare: async () => {}, bytes: large, guard: onlyCreate },
  { title: "a large upload over a file", prepare: present, bytes: large, guard: replacing },
  {
    title: "a large upload of bytes that are there already",
    prepare: async (root) => okValue(await root.create("/other", large)),
    bytes: large,
    guard: onlyCreate,
  },
];

async function prepared(prepare: (root: TestRoot) => Promise<unknown>): Promise<TestRoot> {
  clock.reset();
  const root = freshFaultyRoot();
  await prepare(root);
  await root.usage();
  await root.evict();
  await root.usage();
  return root;
}

describe("a storage call that fails during", () => {
  for (const { title, prepare, bytes, guard } of scenarios) {
    const operation = (root: TestRoot) => put(root, bytes, guard);

    it(`${title} leaves the old state or the new one, and a retry succeeds`, { timeout: 300_000 }, async () => {
      const whole = await prepared(prepare);
      const names = await callsOf(whole, operation);
      const after = await stateOf(whole);
      expect(names).toContain("transaction");
      for (const fault of chosenFaults(names)) {
        const told = `${fault.moment} call ${fault.index}, ${fault.name}`;
        const root = await prepared(prepare);
        const before = await stateOf(root);
        const outcome = await withFault(root, fault, operation);
        await root.evict();
        // Only the commit itself can fail with its effect made.
        const tookEffect = (fault.name === "transaction" && fault.moment === "after") || !(outcome instanceof Error);
        expect(await stateOf(root), told).toEqual(tookEffect ? after : before);
        await root.expectSound();
        const retried = await operation(root);
        expect(retried, told).toMatchObject(
          tookEffect ? { ok: false, error: { reason: "not_as_seen" } } : { ok: true },
        );
        expect(await stateOf(root), told).toEqual(after);
        // What the failed one left in object storage goes.
        clock.advance(blobGraceMs);
        await root.doChores();
        const named = await root.sql<{ r2_key: string }>("SELECT r2_key FROM blobs WHERE r2_key IS NOT NULL");
        expect((await root.objectKeys()).sort(), told).toEqual(named.map((row) => row.r2_key).sort());
      }
    });
  }
});

describe("a storage call that fails while", () => {
  const anything = { path, replaces: null, sha256: null, size: null };
  const upload = async (root: TestRoot) =>
    okValue(admitted(await root.inObject((object) => object.issueUpload(caller, anything)))).ticket;
  const download = async (root: TestRoot) =>
    okValue(admitted(await root.inObject((object) => object.issueDownload(caller, "/file" as RootPath)))).ticket;
  const kinds = [
    { kind: "upload", issue: upload, redeem: "redeemUpload" },
    { kind: "download", issue: download, redeem: "redeemDownload" },
  ] as const;
  const withFile = (root: TestRoot) => root.create("/file", "bytes");

  it.each(kinds)("a link ($kind) is made leaves one that works, or none that is known", async ({ issue, redeem }) => {
    const names = await callsOf(await prepared(withFile), issue);
    expect(names).toContain("exec INSERT INTO tickets");
    for (const fault of chosenFaults(names)) {
      const root = await prepared(withFile);
      const ticket = await withFault(root, fault, issue);
      await root.evict();
      if (typeof ticket === "string") expect(await root.inObject((object) => object[redeem](ticket))).not.toBeNull();
      const second = await issue(root);
      expect(await root.inObject((object) => object[redeem](second))).not.toBeNull();
      await root.expectSound();
    }
  });

  it.each(kinds)("a link ($kind) is used does not let it be used twice", async ({ issue, redeem }) => {
    const use = (ticket: string) => (inside: TestRoot) => inside.inObject(async (object) => object[redeem](ticket));
    const whole = await prepared(withFile);
    const names = await callsOf(whole, use(await issue(whole)));
    expect(names.some((name) => name.startsWith("exec DELETE"))).toBe(true);
    for (const fault of chosenFaults(names)) {
      const root = await prepared(withFile);
      const ticket = await issue(root);
      const outcome = await withFault(root, fault, use(ticket));
      await root.evict();
      const answers = [outcome instanceof Error ? null : outcome, await use(ticket)(root), await use(ticket)(root)];
      expect(answers.filter((answer) => answer !== null).length, fault.name).toBeLessThanOrEqual(1);
      await root.expectSound();
    }
  });
});
