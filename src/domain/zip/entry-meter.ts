import { crc32 } from "../native-bytes";
import { quote } from "../quote";
import { shownName } from "./entry-name";
import type { CentralRecord } from "./records";
import { type ArchiveFlaw, bomb, invalid } from "./zip-errors";
import type { ZipLimits } from "./zip-limits";

/** Counts what all entries of an archive inflate to. */
export class ExtractionBudget {
  private used = 0;

  constructor(private readonly max: number) {}

  /** False as soon as more was taken than there was. */
  take(bytes: number): boolean {
    this.used += bytes;
    return this.used <= this.max;
  }
}

/** How the deflated data of an entry ended. */
export type StreamEnd =
  | { readonly state: "finished"; readonly consumed: number }
  | { readonly state: "unfinished" }
  | { readonly state: "broken" };

/** Watches one entry while its bytes come out, and judges it at the end (zipfs.md §3.6). */
export class EntryMeter {
  private size = 0;
  private crc = 0;

  constructor(
    private readonly record: CentralRecord,
    private readonly limits: Pick<ZipLimits, "ratio">,
    private readonly budget: ExtractionBudget,
  ) {}

  /** The most bytes that may come out before `take` refuses. */
  get maxBytes(): number {
    const { size, compressedSize } = this.record;
    return Math.min(size + Math.floor(size / 10), Math.floor(this.limits.ratio * compressedSize));
  }

  /** The flaw for which the extraction stops at once. */
  take(piece: Uint8Array): ArchiveFlaw | null {
    this.size += piece.length;
    if (this.size > this.maxBytes || !this.budget.take(piece.length)) return this.overrun();
    this.crc = crc32(piece, this.crc);
    return null;
  }

  overrun(): ArchiveFlaw {
    return bomb(`entry ${this.name} inflates beyond its declared size`);
  }

  finish(end: StreamEnd): ArchiveFlaw | null {
    const { record } = this;
    if (end.state === "broken") return invalid(`the data of ${this.name} cannot be inflated`);
    if (end.state === "unfinished") return invalid(`the data of ${this.name} is cut off`);
    if (end.consumed !== record.compressedSize) return invalid(`the data of ${this.name} ends before its stated size`);
    if (this.size !== record.size) {
      return invalid(`${this.name} has ${this.size} bytes where ${record.size} are declared`);
    }
    return this.crc === record.crc ? null : invalid(`the checksum of ${this.name} is wrong`);
  }

  private get name(): string {
    return quote(shownName(this.record));
  }
}
