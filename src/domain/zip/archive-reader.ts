import type { ReadRange } from "./end-record";

/** What is read beyond a range that does not follow the one before; doubled with each that does. */
const aheadBytesMin = 64 * 1024;

/**
 * Reads an archive in large pieces as long as it is read from front to back, whatever small ranges are asked for. Holds one piece.
 * Jumps cost small reads, so that an archive in a hostile order costs little more than its size.
 */
export class ArchiveReader {
  private piece: Uint8Array = new Uint8Array(0);
  private pieceAt = 0;
  private aheadBytes: number;

  constructor(
    private readonly read: ReadRange,
    private readonly size: number,
    private readonly pieceBytes: number,
  ) {
    // Until a jump shows that it is not, an archive is read from front to back.
    this.aheadBytes = pieceBytes;
  }

  /** A range that need not be waited for; null: it is not in the piece at hand. */
  held(offset: number, length: number): Uint8Array | null {
    const from = offset - this.pieceAt;
    return from >= 0 && from + length <= this.piece.length ? this.piece.subarray(from, from + length) : null;
  }

  /** A range that is no longer than a piece; null where it leaves the archive. */
  async bytes(offset: number, length: number): Promise<Uint8Array | null> {
    if (offset + length > this.size) return null;
    await this.load(offset, length);
    return this.piece.subarray(offset - this.pieceAt, offset - this.pieceAt + length);
  }

  /** A range of any length. */
  async *stream(offset: number, length: number): AsyncGenerator<Uint8Array> {
    const end = offset + length;
    for (let at = offset; at < end; ) {
      await this.load(at, 1);
      const view = this.piece.subarray(at - this.pieceAt, end - this.pieceAt);
      yield view;
      at += view.length;
    }
  }

  private async load(offset: number, length: number): Promise<void> {
    if (this.held(offset, length) !== null) return;
    const pieceEnd = this.pieceAt + this.piece.length;
    const goesOn = offset >= this.pieceAt && offset <= pieceEnd + aheadBytesMin;
    this.aheadBytes = goesOn ? Math.min(2 * this.aheadBytes, this.pieceBytes) : aheadBytesMin;
    const wanted = Math.min(Math.max(this.aheadBytes, length), this.size - offset);
    // The former piece is let go first, so that there are never two.
    this.piece = new Uint8Array(0);
    this.piece = await this.read(offset, wanted);
    this.pieceAt = offset;
    if (this.piece.length !== wanted) throw new Error(`${this.piece.length} bytes came where ${wanted} were asked for`);
  }
}
