// Starts the real server, as `npm start` does, on a free port and with a state folder of its own.
// It listens on 127.0.0.1, so its origin is http://127.0.0.1:<port>; `localhost` is another origin.
import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const projectDir = resolve(import.meta.dirname, "../..");
const readyTimeoutMs = 60_000;
const stopTimeoutMs = 15_000;

export interface ServerOptions {
  /** Worker variables beside AUTH_MODE=local; `null` takes one away. */
  vars?: Record<string, string | null>;
  /** A folder that outlives the server; otherwise a new one that `stop` removes. */
  state?: string;
  /** Another wrangler configuration, relative to the project. */
  config?: string;
  port?: number;
}

export interface Server {
  readonly url: string;
  readonly port: number;
  readonly state: string;
  readonly pid: number;
  /** Everything that the server printed so far. */
  log(): string;
  /** Ends it cleanly, as Ctrl-C does. */
  stop(): Promise<void>;
  /** kill -9 of the whole process group; the state stays. */
  kill(): Promise<void>;
  /** Starts it again, after a clean end if it still runs, with the same port and state. */
  restart(): Promise<void>;
}

export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const state = options.state ?? (await newState());
  let port = options.port ?? (await freePort());
  let running: Running;
  try {
    running = await launch(options, port, state);
  } catch (error) {
    // Another test file may have taken the port between the look and the start.
    if (options.port !== undefined || !String(error).includes("is taken")) throw error;
    port = await freePort();
    running = await launch(options, port, state);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    state,
    get pid() {
      return running.pid;
    },
    log: () => running.log(),
    async stop() {
      await running.end("SIGTERM");
      if (options.state === undefined) await rm(state, { recursive: true, force: true });
    },
    kill: () => running.end("SIGKILL"),
    async restart() {
      await running.end("SIGTERM");
      running = await launch(options, port, state);
    },
  };
}

/** An empty root, with a database to which the migrations were applied if the setup made one; otherwise the server applies them. */
async function newState(): Promise<string> {
  const state = await mkdtemp(join(tmpdir(), "holdfast-state-"));
  const migrated = process.env.HOLDFAST_MIGRATED_STATE;
  if (migrated !== undefined) await cp(migrated, state, { recursive: true });
  return state;
}

/** A port on which nothing listens at the moment. */
export function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const probe = createServer();
    probe.once("error", failed);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => done(typeof address === "object" && address ? address.port : 0));
    });
  });
}

interface Running {
  readonly pid: number;
  log(): string;
  end(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

async function launch(options: ServerOptions, port: number, state: string): Promise<Running> {
  const child = spawn(process.execPath, [join(projectDir, "scripts/start.mjs")], {
    cwd: projectDir,
    // A process group of its own, so that all of it can be killed at once.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      PORT: String(port),
      HOLDFAST_STATE: state,
      HOLDFAST_QUIET: "1",
      HOLDFAST_END_WITH_PARENT: "1",
      HOLDFAST_VARS: JSON.stringify(options.vars ?? {}),
      ...(options.config === undefined ? {} : { HOLDFAST_CONFIG: resolve(projectDir, options.config) }),
    },
  });
  let output = "";
  const closed = new Promise<void>((done) => child.once("close", () => done()));
  await new Promise<void>((done, failed) => {
    const timer = setTimeout(
      () => failed(new Error(`no server after ${readyTimeoutMs} ms:\n${output}`)),
      readyTimeoutMs,
    );
    const take = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(`http://127.0.0.1:${port}/mcp\n`)) {
        clearTimeout(timer);
        done();
      }
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.once("close", (code) => {
      clearTimeout(timer);
      failed(new Error(`the server ended with exit code ${code}:\n${output}`));
    });
  }).catch((error: unknown) => {
    signalGroup(child, "SIGKILL");
    throw error;
  });
  return {
    pid: child.pid ?? 0,
    log: () => output,
    async end(signal) {
      if (signal === "SIGKILL") signalGroup(child, "SIGKILL");
      else if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const timer = setTimeout(() => signalGroup(child, "SIGKILL"), stopTimeoutMs);
      await closed;
      clearTimeout(timer);
      await portReleased(port);
    },
  };
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Nobody of the group is left.
  }
}

async function portReleased(port: number): Promise<void> {
  const deadline = Date.now() + stopTimeoutMs;
  while ((await listens(port)) && Date.now() < deadline) await new Promise((done) => setTimeout(done, 20));
}

function listens(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      done(true);
    });
    socket.once("error", () => done(false));
  });
}
