// What time does to codes, tokens and forms: the product with a clock that the test moves. What happens at the same moment is
// tested against the running server (test/auth/tokens.test.ts).
import { beforeEach, describe, expect, it } from "vitest";
import { redeemedWindowMs } from "../../src/auth/auth-store";
import { clock, dayMs, hourMs, minuteMs } from "../workers/clock";
import { call, codeOf, openConsent, redeem, refresh, register, signIn, type Tokens } from "./visitor";

let clientId: string;

beforeEach(async () => {
  clock.reset();
  clientId = await register();
});

async function renewed(refreshToken: string): Promise<Tokens> {
  const response = await refresh(clientId, refreshToken);
  expect(response.status).toBe(200);
  return response.json();
}

async function refusalOf(response: Response): Promise<string> {
  expect(response.status).toBe(400);
  return ((await response.json()) as { error: string }).error;
}

describe("an access token", () => {
  it("AUTH-016 lasts 24 hours, to the second, also where its facts are remembered", async () => {
    const { access_token: token, expires_in } = await signIn(clientId);
    expect(expires_in).toBe(24 * 60 * 60);
    expect(await call(token)).toBe(200);
    clock.advance(dayMs - 1000);
    expect(await call(token)).toBe(200);
    clock.advance(1000);
    expect(await call(token)).toBe(401);
  });
});

describe("a code", () => {
  it("is good for 10 minutes", async () => {
    const late = codeOf(await (await openConsent(clientId)).decide());
    clock.advance(10 * minuteMs);
    expect(await refusalOf(await redeem(clientId, late))).toBe("invalid_grant");
  });

  it("that comes again at once is refused; later it ends all that it gave", async () => {
    const { code, access_token: token, refresh_token: refreshToken } = await signIn(clientId);
    clock.advance(redeemedWindowMs - 1);
    expect(await refusalOf(await redeem(clientId, code))).toBe("invalid_grant");
    expect(await call(token)).toBe(200);
    clock.advance(1);
    expect(await refusalOf(await redeem(clientId, code))).toBe("invalid_grant");
    expect(await call(token)).toBe(401);
    expect(await refusalOf(await refresh(clientId, refreshToken))).toBe("invalid_grant");
  });
});

describe("a refresh token", () => {
  it("that was replaced works again where the answer may have been lost, but not once the replacement was used", async () => {
    const { refresh_token: first } = await signIn(clientId);
    const { refresh_token: lost } = await renewed(first);
    expect(await refusalOf(await refresh(clientId, first))).toBe("invalid_grant");
    clock.advance(redeemedWindowMs);
    const { refresh_token: second } = await renewed(first);
    clock.advance(redeemedWindowMs);
    expect(await refusalOf(await refresh(clientId, lost))).toBe("invalid_grant");
    const { refresh_token: third, access_token: token } = await renewed(second);
    clock.advance(redeemedWindowMs);
    expect(await refusalOf(await refresh(clientId, first))).toBe("invalid_grant");
    expect(await call(token)).toBe(200);
    await renewed(third);
  });

  it("keeps a client connected that comes once in 30 days, and for longer than its registration lasts", async () => {
    let { refresh_token: token } = await signIn(clientId);
    for (let month = 0; month < 6; month += 1) {
      clock.advance(30 * dayMs - hourMs);
      const next = await renewed(token);
      expect(await call(next.access_token)).toBe(200);
      token = next.refresh_token;
    }
    clock.advance(30 * dayMs);
    expect(await refusalOf(await refresh(clientId, token))).toBe("invalid_grant");
  });
});

describe("a consent form", () => {
  it.each([
    [10 * minuteMs - 1000, 302],
    [10 * minuteMs, 400],
  ])("sent after %i ms is answered with %i", async (ageMs, status) => {
    const page = await openConsent(clientId);
    clock.advance(ageMs);
    expect((await page.decide()).status).toBe(status);
  });
});
