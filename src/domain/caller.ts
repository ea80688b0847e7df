/** Who calls a user's object: it refuses revoked tokens and unknown sessions itself, in the same hop that does the work. */
export interface CallerFacts {
  readonly clientId: string;
  readonly grantId?: string;
  readonly tokenId?: string;
  /** Present in the 2025 era. */
  readonly sessionId?: string;
}

declare const callerBrand: unique symbol;
/** The same as it goes with every call: text crosses to the object in less time than a record of four members. */
export type Caller = string & { readonly [callerBrand]: true };

export function callerOf({ clientId, grantId, tokenId, sessionId }: CallerFacts): Caller {
  return JSON.stringify([clientId, grantId ?? null, tokenId ?? null, sessionId ?? null]) as Caller;
}

export function callerFacts(caller: Caller): CallerFacts {
  const [clientId, grantId, tokenId, sessionId] = JSON.parse(caller) as [string, ...(string | null)[]];
  return {
    clientId,
    ...(grantId != null && { grantId }),
    ...(tokenId != null && { tokenId }),
    ...(sessionId != null && { sessionId }),
  };
}
