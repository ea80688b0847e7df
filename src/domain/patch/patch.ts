import type { RootPath } from "../path";

/** A parsed patch (snapshot.md §9): complete, its names judged, nothing looked up yet. */
export interface Patch {
  /** The text in UTF-8, a final LF supplied. Hunks point into it. */
  readonly bytes: Uint8Array;
  readonly sections: readonly PatchSection[];
}

export type SectionKind = "modify" | "create" | "delete" | "rename" | "copy";

export interface PatchSection {
  readonly kind: SectionKind;
  /** Where the section is reported: the target, or the file that goes. */
  readonly path: RootPath;
  /** What a rename or copy reads; otherwise null. */
  readonly source: RootPath | null;
  /** None for an empty file, a pure rename or copy, a change of mode. */
  readonly hunks: readonly Hunk[];
  readonly isBinary: boolean;
  /** The section speaks of a symbolic link, a submodule or another mode that a root cannot hold. */
  readonly hasForeignMode: boolean;
}

export interface Hunk {
  /** 1-based line of its `@@` in the patch. */
  readonly line: number;
  /** 0-based line of the section's input at which the old side begins; for an insertion the number of lines before it. */
  readonly lineIndex: number;
  readonly oldCount: number;
  readonly newCount: number;
  /** Bytes of each side, terminators included. */
  readonly oldBytes: number;
  readonly newBytes: number;
  /** The last line of that side has no newline. */
  readonly oldUnterminated: boolean;
  readonly newUnterminated: boolean;
  /** Its lines in `Patch.bytes`, signs and markers included. */
  readonly bodyFrom: number;
  readonly bodyTo: number;
}
