import { textAppend } from "./append";
import { fileCreate } from "./create";
import { textInsert } from "./insert";
import { fileList } from "./list";
import { textRead } from "./read";
import { fileRemove } from "./remove";
import { textReplace } from "./replace";

/** The text family, in the order of text.md §5. */
export const textTools = [fileCreate, fileList, fileRemove, textRead, textReplace, textInsert, textAppend] as const;
