// The least that a Worker and one RPC can do for an answer of the shape and size of ours: the content twice, as structure and
// as text, under our headers. No token, no scope, no file: what is read lies in the object's memory.

import { DurableObject } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { inflateRawSync } from "node:zlib";

export class FloorObject extends DurableObject {
  files = new Map();

  constructor(state, env) {
    super(state, env);
    state.storage.sql.exec("CREATE TABLE IF NOT EXISTS contents (hash TEXT PRIMARY KEY, oid TEXT, bytes BLOB)");
    state.storage.sql.exec("CREATE TABLE IF NOT EXISTS files (path TEXT PRIMARY KEY, hash TEXT)");
    state.storage.sql.exec("CREATE TABLE IF NOT EXISTS leases (id TEXT PRIMARY KEY)");
  }

  write({ files }) {
    for (const { path, content } of files) this.store(path, content);
  }

  /** What every edit that keeps its versions by hash and speaks git's ids has to do: both hashes, a content, and the file's row. */
  edit(_caller, { path, old, new: replacement }) {
    const text = this.files.get(path) ?? this.load(path);
    const at = text.indexOf(old);
    const edited = text.slice(0, at) + replacement + text.slice(at + old.length);
    return { admitted: true, value: { hash: this.store(path, edited) } };
  }

  store(path, text) {
    const hash = this.ctx.storage.transactionSync(() => this.insert(path, new TextEncoder().encode(text)));
    this.files.set(path, text);
    return hash;
  }

  insert(path, bytes) {
    const { sql } = this.ctx.storage;
    const hash = createHash("sha256").update(bytes).digest("hex");
    const oid = createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
    sql.exec("INSERT OR IGNORE INTO contents VALUES (?, ?, ?)", hash, oid, bytes);
    sql.exec("INSERT OR REPLACE INTO files VALUES (?, ?)", path, hash);
    return hash;
  }

  /** Every text out of SQLite, and the platform's search in it. No lines, no columns, no answer but a number. */
  count({ query }) {
    let count = 0;
    for (const { text } of this.ctx.storage.sql.exec("SELECT CAST(bytes AS TEXT) AS text FROM contents")) {
      for (let at = text.indexOf(query); at !== -1; at = text.indexOf(query, at + query.length)) count += 1;
    }
    return { count };
  }

  keep({ archive }) {
    this.archive = Buffer.from(archive, "base64");
  }

  /** Every entry of an archive inflated, both hashes of it, and its rows, in one transaction. Nothing is judged, and nothing checked. */
  open() {
    const zip = this.archive;
    const end = zip.lastIndexOf("PK\u0005\u0006", undefined, "latin1");
    const count = zip.readUInt16LE(end + 10);
    this.ctx.storage.transactionSync(() => {
      for (let entry = 0, at = zip.readUInt32LE(end + 16); entry < count; entry++) {
        const [size, nameLength, extraLength, commentLength] = [20, 28, 30, 32].map((field) =>
          field === 20 ? zip.readUInt32LE(at + field) : zip.readUInt16LE(at + field),
        );
        const local = zip.readUInt32LE(at + 42);
        const data = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
        const name = zip.toString("utf8", at + 46, at + 46 + nameLength);
        this.insert(`/${name}`, inflateRawSync(zip.subarray(data, data + size)));
        at += 46 + nameLength + extraLength + commentLength;
      }
    });
    return { count };
  }

  /** A search through what is in memory, and a row that outlives the object, as a lease has to. */
  grep(_caller, { query }) {
    if (this.files.size === 0)
      for (const { path } of this.ctx.storage.sql.exec("SELECT path FROM files")) this.files.set(path, this.load(path));
    const matches = [];
    for (const [path, text] of this.files) {
      const at = text.indexOf(query);
      if (at !== -1) matches.push({ path, lines: [{ line: text.slice(0, at).split("\n").length, text: query }] });
    }
    const id = crypto.randomUUID();
    this.ctx.storage.sql.exec("INSERT INTO leases VALUES (?)", id);
    return { admitted: true, value: { lease_id: id, matches } };
  }

  /** An object that nobody calls for a while loses its memory. */
  load(path) {
    const { bytes } = this.ctx.storage.sql
      .exec("SELECT bytes FROM files JOIN contents USING (hash) WHERE path = ?", path)
      .one();
    return new TextDecoder().decode(bytes);
  }

  read(_caller, path) {
    return {
      admitted: true,
      value: { content: this.files.get(path) ?? this.load(path), hash: "0".repeat(64), total_lines: 1 },
    };
  }
}

const headers = {
  "Content-Type": "application/json",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

export default {
  async fetch(request, env) {
    const stub = env.OBJECT.get(env.OBJECT.idFromName(request.headers.get("user") ?? "one"));
    const { operation, args, id, params } = await request.json();
    if (operation !== undefined) return Response.json((await stub[operation](args)) ?? null);
    const caller = { clientId: "client", grantId: "grant", tokenId: "0".repeat(64) };
    const { name, arguments: given } = params;
    const { value } = await (name === "read" ? stub.read(caller, given.path) : stub[name](caller, given));
    const text = JSON.stringify(value);
    const result = `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${text}}`;
    return new Response(`{"result":${result},"jsonrpc":"2.0","id":${id}}`, { headers });
  },
};
