const blanks = /[ \t\r\ufeff]+/g;

/**
 * Tells what a reader would not see: that a line and `wanted` differ only by a trailing `\r`, a byte order mark or blanks; `""` if they
 * differ otherwise, or not. Made once for many lines: `wanted` may be as long as a file.
 */
export function hiddenDifference(wanted: string): (actual: string) => string {
  const visible = wanted.replace(blanks, "");
  return (actual) => {
    if (actual.length < visible.length || actual === wanted) return "";
    if (actual.length === wanted.length + 1) {
      if (actual.endsWith("\r") && actual.startsWith(wanted)) return " (the line ends with \\r)";
      if (actual.startsWith("\ufeff") && actual.endsWith(wanted)) return " (the line begins with a byte order mark)";
    }
    return actual.replace(blanks, "") === visible ? " (blanks differ)" : "";
  };
}
