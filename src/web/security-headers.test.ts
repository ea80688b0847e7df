// The headers that every answer carries, and that setting them changes neither body nor status. Not the policies of the pages themselves.
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { securityHeaders } from "./security-headers";

function createApp() {
  const app = new Hono();
  app.use(securityHeaders());
  app.get("/json", (c) => c.json({ ok: true }));
  app.get("/page", (c) => {
    c.header("Content-Security-Policy", "default-src 'self'");
    c.header("Referrer-Policy", "same-origin");
    return c.html("<p>page</p>");
  });
  app.get("/authorize", (c) => c.html("<p>consent</p>"));
  app.get("/immutable", () => immutable(new Response("kept", { status: 418, headers: { "X-Own": "1" } })));
  app.get("/stream", () => immutable(new Response(slowStream())));
  app.get("/fails", () => {
    throw new Error("a bug");
  });
  app.onError((_, c) => c.json({ error: "internal" }, 500));
  return app;
}

/** As the answer of a fetch is: its headers throw on change. */
function immutable(response: Response): Response {
  const headers = new Proxy(response.headers, {
    get(target, name) {
      if (name === "set" || name === "append" || name === "delete") {
        return () => {
          throw new TypeError("Can't modify immutable headers.");
        };
      }
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return Object.defineProperty(response, "headers", { value: headers });
}

function slowStream(): ReadableStream {
  let part = 0;
  return new ReadableStream({
    async pull(controller) {
      await new Promise((done) => setTimeout(done, 5));
      controller.enqueue(new TextEncoder().encode(`part ${part++};`));
      if (part === 3) controller.close();
    },
  });
}

describe("security headers", () => {
  it.each(["/json", "/authorize", "/immutable", "/stream", "/fails", "/absent"])("are on %s", async (path) => {
    const { headers } = await createApp().request(path);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("permissions-policy")).toContain("camera=()");
    expect(headers.get("content-security-policy")).toBeTruthy();
  });

  it("forbid loading and framing, and leave a page its own policies", async () => {
    const json = await createApp().request("/json");
    expect(json.headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    const page = await createApp().request("/page");
    expect(page.headers.get("content-security-policy")).toBe("default-src 'self'");
    expect(page.headers.get("referrer-policy")).toBe("same-origin");
    expect(page.headers.get("x-frame-options")).toBe("DENY");
  });

  it("keep a popup of the sign-in connected to its opener, and isolate all else", async () => {
    const consent = await createApp().request("/authorize");
    expect(consent.headers.get("cross-origin-opener-policy")).toBe("same-origin-allow-popups");
    const json = await createApp().request("/json");
    expect(json.headers.get("cross-origin-opener-policy")).toBe("same-origin");
  });

  it("ask for https only where https is spoken", async () => {
    const plain = await createApp().request("http://127.0.0.1/json");
    expect(plain.headers.has("strict-transport-security")).toBe(false);
    const secure = await createApp().request("https://holdfast.example/json");
    expect(secure.headers.get("strict-transport-security")).toMatch(/^max-age=\d{8}/);
  });

  it("leave status, own headers and body of an immutable answer as they are", async () => {
    const response = await createApp().request("/immutable");
    expect(response.status).toBe(418);
    expect(response.headers.get("x-own")).toBe("1");
    expect(await response.text()).toBe("kept");
  });

  it("let a stream go on streaming", async () => {
    const response = await createApp().request("/stream");
    expect(await response.text()).toBe("part 0;part 1;part 2;");
  });
});
