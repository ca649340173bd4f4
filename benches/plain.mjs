// The plain way in Node: JSON.parse each line, pick the same vocabulary, JSON.stringify each event. It
// has no lenient path, no increments and no running totals; it is what people write by hand.
import { createInterface } from "node:readline";
import { createWriteStream } from "node:fs";

const out = createWriteStream("/dev/stdout");
let line = 0;
let pieces = [];

function clip(text) {
  return text.length > 8000 ? [text.slice(0, 8000), true] : [text, false];
}

function text(content) {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content ?? null);
  return content.map((b) => (b.type === "text" ? b.text : JSON.stringify(b))).join("\n");
}

const counted = new Set();

function* assistant(record) {
  const message = record.message;
  for (const block of message.content) {
    if (block.type === "text") {
      const [value, truncated] = clip(block.text);
      yield ["message", { role: "assistant", text: value, truncated }];
    } else if (block.type === "thinking") {
      const [value, truncated] = clip(block.thinking);
      yield ["thinking", { text: value, truncated }];
    } else if (block.type === "tool_use") {
      const [input, truncated] = clip(JSON.stringify(block.input));
      yield ["tool.call", { callId: block.id, name: block.name, input, truncated }];
    } else {
      yield ["raw", { json: block }];
    }
  }
  const u = message.usage;
  if (u && !counted.has(message.id)) {
    counted.add(message.id);
    const [input, read, write] = [u.input_tokens, u.cache_read_input_tokens, u.cache_creation_input_tokens];
    yield ["usage", {
      scope: "call", model: message.model, inputTokens: input, outputTokens: u.output_tokens,
      cacheReadTokens: read, cacheCreationTokens: write, contextTokens: input + read + write,
    }];
  }
}

function* user(record) {
  for (const block of record.message.content) {
    if (block.type === "tool_result") {
      const [output, truncated] = clip(text(block.content));
      yield ["tool.result", { callId: block.tool_use_id, isError: block.is_error === true, output, truncated }];
    } else {
      const [value, truncated] = clip(text([block]));
      yield ["message", { role: "user", text: value, truncated }];
    }
  }
}

function* result(record) {
  const total = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 };
  for (const u of Object.values(record.modelUsage ?? {})) {
    total.inputTokens += u.inputTokens;
    total.outputTokens += u.outputTokens;
    total.cacheReadTokens += u.cacheReadInputTokens;
    total.cacheCreationTokens += u.cacheCreationInputTokens;
  }
  yield ["usage", {
    scope: "session", ...total, costUsd: record.total_cost_usd, turns: record.num_turns,
    durationMs: record.duration_ms,
  }];
  const failed = record.is_error || record.subtype !== "success";
  const [summary] = record.result === undefined ? [null] : clip(record.result);
  yield ["session.ended", { status: failed ? "failed" : "succeeded", stopReason: record.stop_reason, summary }];
}

function* events(record) {
  if (record.type === "assistant") {
    yield* assistant(record);
  } else if (record.type === "user" && Array.isArray(record.message?.content)) {
    yield* user(record);
  } else if (record.type === "result") {
    yield* result(record);
  } else if (record.type === "system" && record.subtype === "init") {
    yield ["session.started", {
      harness: "claude-code", model: record.model, contextWindow: null, cwd: record.cwd,
      sessionId: record.session_id, tools: record.tools,
    }];
  } else if (record.type === "stream_event" && record.event?.delta) {
    const delta = record.event.delta;
    yield ["delta", { of: "message", text: delta.text ?? delta.thinking ?? delta.partial_json ?? "" }];
  } else {
    yield ["raw", { json: record }];
  }
}

for await (const source of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  line++;
  if (!source) continue;
  for (const [type, payload] of events(JSON.parse(source))) {
    pieces.push(JSON.stringify({ type, payload, line, source }) + "\n");
  }
  if (pieces.length > 200) {
    out.write(pieces.join(""));
    pieces = [];
    if (out.writableNeedDrain) await new Promise((done) => out.once("drain", done));
  }
}
out.end(pieces.join(""));
