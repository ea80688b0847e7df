/** The URL of a request, taken apart into plain strings: to ask a `URL` for one of its parts is a call into the platform. */
export interface RequestUrl {
  readonly origin: string;
  readonly protocol: string;
  readonly host: string;
  readonly hostname: string;
  readonly pathname: string;
  /** The path as sent, without decoding and without `..` resolved. */
  readonly rawPath: string;
  readonly query: ReadonlyMap<string, string>;
}

/** URLs of requests are few and come again and again; to parse one takes longer than to find it. */
const parsed = new Map<string, RequestUrl>();
const parsedMax = 256;
const urlMaxLength = 256;

export function requestUrl(text: string): RequestUrl {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const url = takeApart(text);
  if (text.length > urlMaxLength) return url;
  if (parsed.size >= parsedMax) parsed.clear();
  parsed.set(text, url);
  return url;
}

function takeApart(text: string): RequestUrl {
  const { origin, protocol, host, hostname, pathname, searchParams } = new URL(text);
  // Of a name that is given twice, the first counts.
  const query = new Map([...searchParams].reverse());
  return { origin, protocol, host, hostname, pathname, rawPath: rawPathOf(text), query };
}

function rawPathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  if (start === -1) return "/";
  const end = url.slice(start).search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, start + end);
}
