declare const packedBrand: unique symbol;
/**
 * A value as JSON on its way out of a user's object. After an object the runtime keeps the call open until it is disposed of, after a
 * string it does not; so what is short and asked for often comes like this.
 */
export type Packed<T> = string & { readonly [packedBrand]: T };

export type MaybePacked<T> = T | Packed<T>;

export function pack<T extends object>(value: T): Packed<T> {
  return JSON.stringify(value) as Packed<T>;
}

export function unpack<T extends object>(value: MaybePacked<T>): T {
  return typeof value === "string" ? JSON.parse(value) : value;
}
