// Secrets that are good once, redeemed many times at the same moment, where nothing between client and object puts the
// requests into a row: they reach it together. Over HTTP the same is tested in test/auth/tokens.test.ts.
import { expect, it } from "vitest";
import { codeOf, openConsent, redeem, refresh, register, type Tokens } from "./visitor";

const count = 100;

/** How often each answer was given, and the tokens. */
async function tally(answers: Promise<Response>[]): Promise<{ statuses: Record<string, number>; tokens: Tokens[] }> {
  const statuses: Record<string, number> = {};
  const tokens: Tokens[] = [];
  for (const response of await Promise.all(answers)) {
    const body = (await response.json()) as Tokens & { error?: string };
    const name = `${response.status} ${body.error ?? "token"}`;
    statuses[name] = (statuses[name] ?? 0) + 1;
    if (response.ok) tokens.push(body);
  }
  return { statuses, tokens };
}

const times = <T>(work: () => T): T[] => Array.from({ length: count }, work);

it("gives one token for 100 redemptions of a code at once, and one for 100 of its refresh token", async () => {
  const clientId = await register();
  const code = codeOf(await (await openConsent(clientId)).decide());
  const codes = await tally(times(() => redeem(clientId, code)));
  expect(codes.statuses).toEqual({ "200 token": 1, "400 invalid_grant": count - 1 });
  const token = codes.tokens[0]?.refresh_token ?? "";
  const refreshes = await tally(times(() => refresh(clientId, token)));
  expect(refreshes.statuses).toEqual({ "200 token": 1, "400 invalid_grant": count - 1 });
});
