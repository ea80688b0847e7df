/**
 * `text.indexOf(wanted, from)` within `from` … `to`, -1 if it is not there. Knuth–Morris–Pratt: the platform's own search takes minutes
 * where a long text is almost everywhere, and both come from callers.
 */
export function linearIndexOf(text: string, wanted: string, from: number, to: number): number {
  if (wanted === "") return from;
  if (wanted.length > to - from) return -1;
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && unit !== wanted.charCodeAt(matched)) matched = borders[matched - 1] as number;
    if (unit === wanted.charCodeAt(matched)) matched++;
    if (matched === wanted.length) return at + 1 - matched;
  }
  return -1;
}

function bordersOf(wanted: string): Uint32Array {
  const borders = new Uint32Array(wanted.length);
  let length = 0;
  for (let at = 1; at < wanted.length; at++) {
    const unit = wanted.charCodeAt(at);
    while (length > 0 && unit !== wanted.charCodeAt(length)) length = borders[length - 1] as number;
    if (unit === wanted.charCodeAt(length)) length++;
    borders[at] = length;
  }
  return borders;
}
