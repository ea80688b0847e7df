/** One entity tag of RFC 9110 §8.8.3, without its quotes. */
export interface EntityTag {
  readonly weak: boolean;
  readonly value: string;
}

/** The value of `If-Match` or `If-None-Match`: any version at all, or one of those listed. */
export type TagList = "*" | readonly EntityTag[];

const member = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/;

/** Null: not a list of entity tags. Tags are quoted; a comma may stand within the quotes. */
export function parseTagList(header: string): TagList | null {
  let rest = header.trim();
  if (rest === "*") return "*";
  const tags: EntityTag[] = [];
  while (rest !== "") {
    const found = member.exec(rest);
    if (found === null) return null;
    tags.push({ weak: found[1] !== undefined, value: found[2] as string });
    rest = rest.slice(found[0].length).trimStart();
    if (rest === "") return tags;
    if (!rest.startsWith(",")) return null;
    // Empty members of a list count as nothing (RFC 9110 §5.6.1).
    rest = rest.replace(/^[\s,]+/, "");
  }
  return tags.length === 0 ? null : tags;
}

/** Byte for byte the same: what `If-Match` and `If-Range` ask. A weak tag never is. */
export function matchesStrongly(tags: TagList, current: string): boolean {
  return tags === "*" || tags.some((tag) => !tag.weak && tag.value === current);
}

/** What `If-None-Match` asks. */
export function matchesWeakly(tags: TagList, current: string): boolean {
  return tags === "*" || tags.some((tag) => tag.value === current);
}

export function formatTag(value: string): string {
  return `"${value}"`;
}
