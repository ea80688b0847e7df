// The package brings no types; this is the part that the tests use.
declare module "oidc-provider" {
  import type { RequestListener } from "node:http";
  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    callback(): RequestListener;
  }
}
