// What the zip tools ask of object storage, counted: each call costs money, and an object has a budget of them for a request.
import { beforeEach, describe, expect, it } from "vitest";
import { parseScopes } from "../../../src/domain/scopes";
import { interfering } from "../interference";
import { caller, freshFaultyRoot } from "../root";
import { good, noise, ZipObject } from "./zip-object";

const request = { session: null, scopes: parseScopes("write:/") };
const many = Array.from({ length: 1000 }, (_, index) => ({
  name: `d${index % 10}/f${index}`,
  data: `content ${index}`,
}));

let zip: ZipObject;
beforeEach(async () => {
  zip = new ZipObject(freshFaultyRoot());
  await zip.put([{ name: "big", data: noise(1_500_000), method: 0 }, ...many]);
});

/** The calls to object storage during the work, by name. */
async function callsDuring(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const calls: Record<string, number> = {};
  await interfering(
    zip.root.id,
    ({ name, moment }) => {
      if (moment === "before" && name.startsWith("R2")) calls[name] = (calls[name] ?? 0) + 1;
    },
    work,
  );
  return calls;
}

describe("calls to object storage", () => {
  it("zipfs.md §3.7: of an open are none for small files, one for a large one", async () => {
    const { "R2 put": puts, "R2 get": gets = 0 } = await callsDuring(async () => good(await zip.open()));
    expect(puts).toBe(1);
    expect(gets).toBeLessThan(10);
  });

  it("zipfs.md §5, §6.7, §6.2: of status, preview and an idle sync are none", async () => {
    good(await zip.open());
    const idle = await callsDuring(async () => {
      expect(good(await zip.sync())).toMatchObject({ unchanged: true });
      good(await zip.write("d1/f1", "changed"));
      good(await zip.delete("d2"));
      expect(good(await zip.status()).unsynced).toMatchObject({ modified: ["d1/f1"], directoriesChanged: true });
      await zip.root.inObject((instance) => instance.previewSync(caller, request));
      expect(await zip.sessions()).toHaveLength(1);
    });
    expect(idle).toEqual({});
  });

  it("zipfs.md §6.4: of a sync are one put, that of the new archive: backups move no bytes", async () => {
    good(await zip.open());
    for (const content of ["1", "2", "3"]) {
      good(await zip.write("d1/f1", content));
      const calls = await callsDuring(async () => {
        expect(good(await zip.sync())).toMatchObject({ backupPath: "/z.bak.zip" });
      });
      expect(calls).toEqual({ "R2 put": 1, "R2 get": expect.any(Number) });
      expect(calls["R2 get"]).toBeLessThan(20);
    }
  });
});
