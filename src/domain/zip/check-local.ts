import { equalBytes } from "../native-bytes";
import { quote } from "../quote";
import { shownName } from "./entry-name";
import { type CentralRecord, flagBits, type LocalHeader, localSizes } from "./records";
import { type ArchiveFlaw, invalid } from "./zip-errors";

/** Does the local header say the same as the central record (zipfs.md §3.6)? `name` and `extra` are those after the header. */
export function checkLocal(
  record: CentralRecord,
  header: LocalHeader,
  name: Uint8Array,
  extra: Uint8Array,
): ArchiveFlaw | null {
  const agrees =
    header.method === record.method &&
    ((header.flags ^ record.flags) & flagBits.encrypted) === 0 &&
    equalBytes(name, record.name) &&
    ((header.flags & flagBits.descriptor) !== 0 || sameContent(record, header, extra));
  return agrees ? null : localDiffers(record);
}

export function localDiffers(record: CentralRecord): ArchiveFlaw {
  return invalid(`local and central records of ${quote(shownName(record))} differ`);
}

function sameContent(record: CentralRecord, header: LocalHeader, extra: Uint8Array): boolean {
  const sizes = localSizes(header, extra);
  return (
    sizes !== null &&
    header.crc === record.crc &&
    sizes.size === record.size &&
    sizes.compressedSize === record.compressedSize
  );
}
