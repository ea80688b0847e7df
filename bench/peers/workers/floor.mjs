// The least that a Worker and one RPC can do for an answer of the shape and size of ours: the content twice, as structure and
// as text, under our headers. No token, no scope, no file: what is read lies in the object's memory.
import { DurableObject } from "cloudflare:workers";

export class FloorObject extends DurableObject {
  files = new Map();

  write({ files }) {
    for (const { path, content } of files) this.files.set(path, content);
  }

  read(_caller, path) {
    return { admitted: true, value: { content: this.files.get(path), hash: "0".repeat(64), total_lines: 1 } };
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
    const stub = env.OBJECT.get(env.OBJECT.idFromName("one"));
    const { operation, args, id, params } = await request.json();
    if (operation === "write") return Response.json((await stub.write(args)) ?? null);
    const caller = { clientId: "client", grantId: "grant", tokenId: "0".repeat(64) };
    const { value } = await stub.read(caller, params.arguments.path);
    const text = JSON.stringify(value);
    const result = `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${text}}`;
    return new Response(`{"result":${result},"jsonrpc":"2.0","id":${id}}`, { headers });
  },
};
