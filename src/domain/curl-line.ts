import { nameOf, type RootPath } from "./path";

/** `-g`: brackets and braces in a file name mean themselves. `./`: a name such as `-` is no option and no stream. */

/** A line for a shell that sends the file of the same name in the current directory. */
export function curlUpload(url: string, path: RootPath): string {
  return `curl --fail-with-body -gsS -T ${quoteForShell(`./${nameOf(path)}`)} ${quoteForShell(url)}`;
}

/** A line for a shell that writes a file of the same name into the current directory. */
export function curlDownload(url: string, path: RootPath): string {
  return `curl -fgsS -o ${quoteForShell(`./${nameOf(path)}`)} ${quoteForShell(url)}`;
}

/** POSIX: nothing has a meaning within single quotes but their end. Paths have no control characters. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
