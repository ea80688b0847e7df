/** Bytes of a content, `end` exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const unit = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+)=/;
const oneRange = /^(\d*)-(\d*)$/;

/**
 * The `Range` of a request for a content of `size` bytes (RFC 9110 §14). Null: it asks for nothing that we know, so the whole is sent;
 * so it is for several ranges with bytes in them, which would need an answer in parts. "unsatisfiable" becomes 416, also for a range
 * that makes no sense.
 */
export function parseRangeHeader(header: string, size: number): ByteRange | "unsatisfiable" | null {
  const named = unit.exec(header.trim());
  if (named === null) return "unsatisfiable";
  if (named[1]?.toLowerCase() !== "bytes") return null;
  const members = header
    .trim()
    .slice(named[0].length)
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const ranges = members.map((part) => parseOne(part, size));
  if (ranges.length === 0 || ranges.includes("malformed")) return "unsatisfiable";
  const satisfiable = ranges.filter((range) => range !== "unsatisfiable");
  if (satisfiable.length === 0) return "unsatisfiable";
  const [only] = satisfiable as ByteRange[];
  // The end of an empty content can be asked for, but no answer can name it as a range.
  if (only === undefined || satisfiable.length > 1 || only.start === only.end) return null;
  return only;
}

function parseOne(text: string, size: number): ByteRange | "unsatisfiable" | "malformed" {
  const form = oneRange.exec(text);
  if (form === null) return "malformed";
  const [, first = "", last = ""] = form;
  if (first === "" && last === "") return "malformed";
  // The last so many bytes, or all there are: also of nothing (RFC 9110 §14.1.2), unless none are asked for.
  if (first === "") return Number(last) > 0 ? { start: Math.max(0, size - Number(last)), end: size } : "unsatisfiable";
  const start = Number(first);
  const end = last === "" ? size : Math.min(size, Number(last) + 1);
  if (last !== "" && Number(last) < start) return "malformed";
  return start < size ? { start, end } : "unsatisfiable";
}
