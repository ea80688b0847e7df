import { LOG_LEVEL_META_KEY, type LoggingLevel, type ServerContext } from "@modelcontextprotocol/server";
import type { CallContext } from "./call-context";

const severities: readonly LoggingLevel[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

/** Sends a log line to the client: in the 2025 era from the session's level on, in the 2026 era from the level that the request names (none: nothing). */
export async function log(
  context: CallContext,
  server: ServerContext,
  level: LoggingLevel,
  data: unknown,
): Promise<void> {
  // The session's level comes with the admission, which a call that has not asked the user's object yet still lacks.
  if (context.sessionId !== undefined && !(await context.ensureAdmitted())) return;
  const envelope = server.mcpReq.envelope as Record<string, unknown> | undefined;
  const named = envelope?.[LOG_LEVEL_META_KEY] as LoggingLevel | undefined;
  const threshold = context.sessionId === undefined ? named : (context.logLevel as LoggingLevel | "");
  if (threshold === undefined) return;
  if (threshold !== "" && severities.indexOf(level) < severities.indexOf(threshold)) return;
  await server.mcpReq.notify({ method: "notifications/message", params: { level, data, logger: "holdfast" } });
}
