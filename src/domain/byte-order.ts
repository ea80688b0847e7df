/**
 * Orders strings by their UTF-8 bytes, as git and the specs do. The default sort compares UTF-16 units and so puts U+FF5E after U+1F600.
 * Both strings must be well-formed; paths and names are.
 */
export function compareUtf8(left: string, right: string): number {
  if (left === right) return 0;
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return byteRank(a) - byteRank(b);
  }
  return left.length - right.length;
}

/** UTF-8 order equals code point order, and there a surrogate (any character above U+FFFF) comes after U+E000–U+FFFF. */
function byteRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

/** UTF-8 bytes of a well-formed string, without encoding it. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // A surrogate pair is two units and four bytes: one more byte for each half.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}
