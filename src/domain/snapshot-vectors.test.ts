/** The 14 roots of snapshot-ids.json: manifest, snapshot id and both bundles, bit for bit. The fingerprints alone: fingerprint.test.ts. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { encodeExportJson } from "./export-json";
import { canonicalFingerprint, fingerprintOf } from "./fingerprint";
import { gitBlobId } from "./git-objects";
import { sha256Hex } from "./hash";
import { decodeManifest, encodeManifest, manifestHash, snapshotId } from "./manifest";
import type { RootPath } from "./path";
import { encodeTar, tarSize } from "./tar";

interface VectorFile {
  readonly path: string;
  readonly content?: string;
  readonly content_base64?: string;
  readonly size: number;
  readonly git_oid: string;
  readonly sha256: string;
}

interface Vector {
  readonly id: string;
  readonly name: string;
  readonly files: readonly VectorFile[];
  readonly capture: readonly string[];
  readonly fingerprint: string;
  readonly manifest: string;
  readonly manifest_hash: string;
  readonly snapshot_id: string;
  readonly export_tar: { readonly bytes: number; readonly sha256: string };
  readonly export_json: { readonly bytes: number; readonly sha256: string };
}

const { cases } = JSON.parse(
  readFileSync(new URL("../../test/vectors/snapshot-ids.json", import.meta.url), "utf8"),
) as { cases: Vector[] };

function bytesOf(file: VectorFile): Uint8Array {
  return file.content_base64 === undefined
    ? new TextEncoder().encode(file.content)
    : Uint8Array.from(Buffer.from(file.content_base64, "base64"));
}

describe("the roots of snapshot-ids.json", () => {
  it("are complete", () => expect(cases).toHaveLength(14));

  it.each(cases.map((vector) => [vector.id, vector.name, vector] as const))(
    "seed 002 §2.4 %s: %s",
    (_id, _name, vector) => {
      const files = vector.files.map((file) => {
        const bytes = bytesOf(file);
        expect([bytes.length, gitBlobId(bytes), sha256Hex(bytes)]).toEqual([file.size, file.git_oid, file.sha256]);
        return { path: `/${file.path}` as RootPath, oid: gitBlobId(bytes), blob: sha256Hex(bytes), bytes };
      });
      const fingerprint = fingerprintOf(files);
      expect(canonicalFingerprint(fingerprint)).toBe(vector.fingerprint);
      const captured = files.filter((file) => vector.capture.includes(file.path.slice(1)));
      const manifest = encodeManifest(captured);
      expect(new TextDecoder().decode(manifest)).toBe(vector.manifest);
      expect(decodeManifest(manifest)).toEqual(captured.map(({ path, blob }) => ({ path, blob })));
      expect(manifestHash(manifest)).toBe(vector.manifest_hash);
      expect(snapshotId(fingerprint, manifest)).toBe(vector.snapshot_id);
      const exported = captured.map((file) => ({ ...file, path: file.path.slice(1) }));
      const tar = encodeTar(exported);
      expect({ bytes: tar.length, sha256: sha256Hex(tar) }).toEqual(vector.export_tar);
      expect(tarSize(exported.map(({ path, bytes }) => ({ path, size: bytes.length })))).toBe(tar.length);
      const json = encodeExportJson(exported);
      expect({ bytes: json.length, sha256: sha256Hex(json) }).toEqual(vector.export_json);
    },
  );
});

describe("decodeManifest (seed 002 §2.4)", () => {
  const entry = (path: string) => `{"blob":"sha256:${"0".repeat(64)}","path":"${path}"}`;
  it.each([
    ["not JSON", "x"],
    ["no entries", "{}"],
    ["unsorted", `{"entries":[${entry("b")},${entry("a")}]}`],
    ["a path twice", `{"entries":[${entry("a")},${entry("a")}]}`],
    ["a path that leaves the root", `{"entries":[${entry("../a")}]}`],
    ["no hash", '{"entries":[{"blob":"sha256:0","path":"a"}]}'],
  ])("refuses %s", (_name, text) => {
    expect(decodeManifest(new TextEncoder().encode(text))).toBeNull();
  });
});

describe("encodeTar (seed 002 §3.1 export)", () => {
  it("is read by tar with the same names and bytes, also names over 100 bytes", () => {
    const paths = ["a", "a b/ü", `${"d/".repeat(45)}${"名".repeat(12)}`, `${"long/".repeat(30)}x`, "~", 'q"uote'];
    const files = paths.sort().map((path, index) => ({ path, bytes: new Uint8Array(index * 300).fill(65 + index) }));
    const folder = mkdtempSync(join(tmpdir(), "holdfast-tar-"));
    try {
      writeFileSync(join(folder, "b.tar"), encodeTar(files));
      execFileSync("tar", ["-xf", "b.tar"], { cwd: folder });
      for (const { path, bytes } of files) expect(Uint8Array.from(readFileSync(join(folder, path)))).toEqual(bytes);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
