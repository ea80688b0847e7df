/// <reference types="@cloudflare/vitest-plugin/types" />

declare namespace Cloudflare {
  /** What test/workers/wrangler.toml binds. */
  interface Env {
    ROOT: DurableObjectNamespace<import("../../src/root/root-object").RootObject>;
    FAULTY_ROOT: DurableObjectNamespace<import("./worker").FaultyRoot>;
    BLOBS: R2Bucket;
    MANIFESTS: D1Database;
    MIGRATIONS: import("@cloudflare/vitest-plugin").D1Migration[];
  }
}
