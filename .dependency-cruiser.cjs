// The layers of ARCHITECTURE.md: index → {web, auth, mcp, files} → root (types only) → storage → domain.
// Parsed with swc, because the native TypeScript compiler has no JavaScript interface.

/** Modules below src, without their unit tests. */
const source = (folders) => `^src/(${folders})/(?!.*\\.test\\.tsx?$)`;

module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      comment:
        "A cycle means that two modules are one. Imports of types alone do not count: they are gone at run time.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "nothing-imports-index",
      severity: "error",
      from: {},
      to: { path: "^src/index\\.tsx?$" },
    },
    {
      name: "domain-is-pure",
      comment:
        "domain imports nothing but domain; hashing needs the synchronous node:crypto, work on many bytes the native code of the platform.",
      severity: "error",
      from: { path: source("domain"), pathNot: "^src/domain/(hash\\.ts$|native-bytes\\.ts$|grep/)" },
      to: { pathNot: "^src/domain/" },
    },
    {
      name: "grep-imports-re2js-only",
      comment: "A parser and tables of Unicode, as pure as the rest of domain.",
      severity: "error",
      from: { path: source("domain/grep") },
      to: { pathNot: "^src/domain/|^node_modules/re2js/" },
    },
    {
      name: "hash-imports-crypto-only",
      severity: "error",
      from: { path: "^src/domain/hash\\.ts$" },
      to: { pathNot: "^src/domain/|^(node:)?crypto$" },
    },
    {
      name: "native-bytes-imports-buffer-and-zlib-only",
      severity: "error",
      from: { path: "^src/domain/native-bytes\\.ts$" },
      to: { pathNot: "^src/domain/|^(node:)?(buffer|zlib)$" },
    },
    {
      name: "storage-knows-domain-only",
      severity: "error",
      from: { path: source("storage") },
      to: { path: "^src/(?!storage/|domain/|env\\.ts)" },
    },
    {
      name: "root-knows-storage-and-domain-only",
      comment: "The user's object knows nothing of HTTP, MCP or OAuth.",
      severity: "error",
      from: { path: source("root") },
      to: {
        path: "^src/(?!root/|storage/|domain/|env\\.ts)|node_modules/(hono|@modelcontextprotocol|jose|@cloudflare/workers-oauth)",
      },
    },
    {
      name: "edge-takes-types-of-root-only",
      comment: "The edge reaches the user's object by RPC alone.",
      severity: "error",
      from: { path: source("web|auth|mcp|files") },
      to: { path: "^src/root/", pathNot: "^src/root/contract\\.ts$", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "mcp-stands-alone",
      comment: "web, auth and mcp are joined in index; a principal, not the way it was proven, reaches mcp.",
      severity: "error",
      from: { path: source("mcp") },
      to: { path: "^src/(auth|web)/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "files-stands-alone",
      comment: "Raw bytes know neither how a caller was proven nor what a tool is.",
      severity: "error",
      from: { path: source("files") },
      to: { path: "^src/(auth|web|mcp)/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "web-stands-alone",
      severity: "error",
      from: { path: source("web") },
      to: { path: "^src/(auth|mcp|storage)/" },
    },
    {
      name: "environment-is-types",
      severity: "error",
      from: { path: "^src/env\\.ts$" },
      to: { dependencyTypesNot: ["type-only"] },
    },
    {
      name: "product-free-of-tests",
      comment: "Fixtures never reach the bundle.",
      severity: "error",
      from: { path: "^src/", pathNot: "\\.test\\.tsx?$" },
      to: {
        path: "^(test|scripts)/|\\.test\\.tsx?$|node_modules/(vitest|fast-check|playwright-core|oidc-provider|@modelcontextprotocol/(client|sdk|conformance|inspector))/",
      },
    },
    {
      name: "resolvable",
      severity: "error",
      from: { path: "^src/" },
      to: { couldNotResolve: true, pathNot: "^cloudflare:" },
    },
  ],
  options: {
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["workerd", "import", "default"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
    },
  },
};
