/** URLs of requests are few and come again and again; to parse one takes longer than to find it. */
const parsed = new Map<string, URL>();
const parsedMax = 256;
const urlMaxLength = 256;

/** The URL of a request. Nobody may change it: others get the same one. */
export function parsedUrl(text: string): Readonly<URL> {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const url = new URL(text);
  if (text.length > urlMaxLength) return url;
  if (parsed.size >= parsedMax) parsed.clear();
  parsed.set(text, url);
  return url;
}
