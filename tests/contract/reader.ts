// A reader of every type. It compiles only while the declarations name each type that is read here,
// and no other: the last case takes what is left, which must be nothing.
import type { AgentnormEvent, Message, SessionUsage, ToolResult } from "../../schema/event.d.ts";

export function line(event: AgentnormEvent): string {
  switch (event.type) {
    case "session.started":
      return `${event.payload.harness ?? "?"} ${event.payload.version ?? ""} ${event.payload.tools?.length ?? 0} tools`;
    case "session.title":
      return event.payload.title ?? "";
    case "message":
      return `${event.payload.role ?? "?"}: ${event.payload.text ?? ""}${event.payload.truncated ? "…" : ""}`;
    case "thinking":
      return event.payload.redacted ? "(hidden)" : (event.payload.text ?? "");
    case "tool.call":
      return `${event.payload.name ?? "?"}(${event.payload.input ?? ""})`;
    case "tool.result":
      return result(event.payload);
    case "plan":
      return event.payload.steps.map((step) => `[${step.status ?? " "}] ${step.text ?? ""}`).join("\n");
    case "usage":
      return event.payload.scope === "call"
        ? `context ${event.payload.contextTokens ?? 0}`
        : total(event.payload);
    case "session.ended":
      return event.payload.status === "failed" ? (event.payload.error ?? "failed") : "succeeded";
    case "session.background":
      return `${event.payload.tasks.length} running; ${event.payload.change?.status ?? ""}`;
    case "delta":
      return event.payload.reset ? `\n${event.payload.text ?? ""}` : (event.payload.text ?? "");
    case "notice":
      return `${event.payload.level} ${event.payload.code} ${event.payload.retry?.attempt ?? ""}`;
    case "raw":
      return "json" in event.payload ? JSON.stringify(event.payload.json) : event.payload.text;
    default: {
      const nothing: never = event;
      return nothing;
    }
  }
}

function result(payload: ToolResult): string {
  const files = payload.files?.map((file) => `${file.change} ${file.path}`) ?? [];
  return [payload.isError ? "error" : "ok", payload.exitCode?.toString() ?? "", ...files].join(" ");
}

function total(payload: SessionUsage): string {
  const models = Object.entries(payload.models ?? {}).map(([name, usage]) => `${name} ${usage.outputTokens ?? 0}`);
  return `${payload.costUsd ?? 0} ${payload.cumulative ?? ""} ${models.join(", ")}`;
}

// What stands beside the payload, and a subagent's events.
export const where = (event: AgentnormEvent): string =>
  `${event.line ?? "-"} ${event.time ?? ""} ${event.source?.length ?? 0} ${event.payload.parentCallId ?? ""}`;

const core: Message = { role: "assistant", text: null, truncated: false };
// @ts-expect-error a core key must be there
const less: Message = { role: "assistant", text: null };
// @ts-expect-error an extension key is never null
const none: Message = { ...core, attachments: null };
export const messages = [core, less, none];
