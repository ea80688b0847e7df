import type { Sha256 } from "../hash";
import type { FilterTest, GramFilter } from "./gram-filter";

const firstBytes = 64 * 1024;

/** Filters behind each other in one piece of memory that grows to a limit; when that is full, it is emptied. */
export class WarmFilters {
  private readonly places = new Map<Sha256, number>();
  private bytes: Uint8Array;
  private end = 0;

  constructor(private readonly bytesMax: number) {
    this.bytes = new Uint8Array(Math.min(firstBytes, bytesMax));
  }

  has(hash: Sha256): boolean {
    return this.places.has(hash);
  }

  /** True also of a content whose filter is not here. */
  mayPass(hash: Sha256, test: FilterTest): boolean {
    const place = this.places.get(hash);
    // Before each filter, its length as a power of two.
    return place === undefined || test(this.bytes, place + 1, 1 << (this.bytes[place] as number));
  }

  add(hash: Sha256, bits: GramFilter): void {
    const length = 1 + bits.length;
    if (this.places.has(hash) || length > this.bytesMax) return;
    if (this.end + length > this.bytesMax) this.clear();
    const end = this.end + length;
    if (end > this.bytes.length) {
      const larger = new Uint8Array(Math.min(2 * end, this.bytesMax));
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes[this.end] = Math.log2(bits.length);
    this.bytes.set(bits, this.end + 1);
    this.places.set(hash, this.end);
    this.end = end;
  }

  private clear(): void {
    this.places.clear();
    this.end = 0;
  }
}
