import { type GitOid, gitBlobHeader } from "./git-objects";
import { type RunningHash, runningSha1, runningSha256, type Sha256 } from "./hash";
import { TextScan } from "./text-scan";

/** What the tree keeps of a content. */
export interface ContentFacts {
  readonly blob: Sha256;
  readonly gitOid: GitOid;
  readonly size: number;
  /** Null: not text. */
  readonly lines: number | null;
}

/** Everything that is to be known of a content, from its pieces. Git hashes the length first, so that must be known. */
export class ContentScan {
  private readonly sha256: RunningHash = runningSha256();
  private readonly sha1: RunningHash = runningSha1();
  private readonly text = new TextScan();
  private scanned = 0;

  constructor(private readonly size: number) {
    this.sha1.update(gitBlobHeader(size));
  }

  update(piece: Uint8Array): void {
    this.sha256.update(piece);
    this.sha1.update(piece);
    this.text.update(piece);
    this.scanned += piece.length;
  }

  /** Null: there were more or fewer bytes than said. */
  facts(): ContentFacts | null {
    if (this.scanned !== this.size) return null;
    const [blob, gitOid] = [this.sha256.hex() as Sha256, this.sha1.hex() as GitOid];
    return { blob, gitOid, size: this.size, lines: this.text.lines() };
  }
}

export function scanContent(bytes: Uint8Array): ContentFacts {
  const scan = new ContentScan(bytes.length);
  scan.update(bytes);
  return scan.facts() as ContentFacts;
}
