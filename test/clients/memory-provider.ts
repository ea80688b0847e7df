// What an SDK client needs to sign in by itself: it keeps everything in memory and leaves the browser to the test.
export class MemoryOAuth<Client, Tokens> {
  readonly redirectUrl = "http://127.0.0.1:39999/callback";
  readonly clientMetadata = {
    client_name: "Holdfast test client",
    redirect_uris: [this.redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  /** The page that the client wants to be opened. */
  page: URL | undefined;
  #client: Client | undefined;
  #tokens: Tokens | undefined;
  #verifier = "";

  state(): string {
    return "state-of-the-test";
  }
  clientInformation(): Client | undefined {
    return this.#client;
  }
  saveClientInformation(client: Client): void {
    this.#client = client;
  }
  tokens(): Tokens | undefined {
    return this.#tokens;
  }
  saveTokens(tokens: Tokens): void {
    this.#tokens = tokens;
  }
  redirectToAuthorization(page: URL): void {
    this.page = page;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
}
