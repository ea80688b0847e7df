// The least that a Worker with a Durable Object can do: one RPC that gives a text which the object has in memory.
import { DurableObject } from "cloudflare:workers";

export class BareObject extends DurableObject {
  files = new Map();

  write({ files }) {
    for (const { path, content } of files) this.files.set(path, content);
  }

  read({ path }) {
    return this.files.get(path);
  }
}

export default {
  async fetch(request, env) {
    const stub = env.OBJECT.get(env.OBJECT.idFromName("one"));
    const { operation, args } = await request.json();
    return Response.json((await stub[operation](args)) ?? null);
  },
};
