/** Text or binary is decided at every write (text.md §7.1): an edit can move a NUL byte into the part of the file that decides it. */
import { expect, it } from "vitest";
import { freshRoot, okValue } from "./root";

it("a text whose NUL byte an edit moves to the front is binary from then on, and check finds nothing", async () => {
  const root = freshRoot();
  const line = `${"x".repeat(99)}\n`;
  const text = `${line.repeat(90)}\0\n`;
  const hash = okValue(await root.create("/file", text));
  expect(okValue(await root.read("/file")).totalLines).toBe(91);

  const old = line.repeat(10);
  const edit = { kind: "replace", lines: [1, 11], old, new: "" } as const;
  const moved = okValue(await root.edit("/file", hash, edit));
  expect(moved.totalLines).toBe(81);
  await root.expectSound();
  // At 8000 it does not count yet; one line less, and it does.
  expect((await root.read("/file")).ok).toBe(true);
  const gone = { kind: "replace", lines: [1, 2], old: line, new: "" } as const;
  const last = okValue(await root.edit("/file", moved.hash, gone));
  await root.expectSound();
  expect(await root.read("/file")).toMatchObject({ ok: false, error: { code: "NOT_TEXT", details: { offset: 7900 } } });
  expect(await root.append("/file", last.hash, "more\n")).toMatchObject({ ok: false, error: { code: "NOT_TEXT" } });
});
