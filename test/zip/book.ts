/** A small archive of text, bytes and an empty directory. */
export const book = [
  { name: "a.txt", data: "alpha\nbeta\r\ngamma\n" },
  { name: "d/b.txt", data: "beta again" },
  { name: "d/bin", data: new Uint8Array([0, 255, 1, 254]) },
  { name: "empty/" },
];
