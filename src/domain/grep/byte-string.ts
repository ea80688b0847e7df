/**
 * UTF-8 bytes as a string of characters U+0000 – U+00FF. git matches ignore rules byte by byte (`?` is one byte of `é`), and strings
 * compare faster than arrays; a path that is all ASCII is its own byte string.
 */
export function toByteString(text: string): string {
  if (!/[\u0080-\uffff]/.test(text)) return text;
  let bytes = "";
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
}
