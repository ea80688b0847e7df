import { textAppend } from "./append";
import { fileCreate } from "./create";
import { fileDownloadUrl } from "./download-url";
import { textInsert } from "./insert";
import { fileList } from "./list";
import { textRead } from "./read";
import { fileRemove } from "./remove";
import { textReplace } from "./replace";
import { fileUploadUrl } from "./upload-url";

/** The text family, in the order of text.md §5. */
export const textTools = [
  fileCreate,
  fileList,
  fileRemove,
  fileUploadUrl,
  fileDownloadUrl,
  textRead,
  textReplace,
  textInsert,
  textAppend,
] as const;
