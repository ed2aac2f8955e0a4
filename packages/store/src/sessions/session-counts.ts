import type { SessionDocument } from './session-document.ts';

/** Calls of one tool. */
export interface ToolCallCount {
  readonly tool: string;
  /** Default 1. */
  readonly calls?: number;
  /** How many of them failed. Default 0. */
  readonly failures?: number;
}

/** What a provider charged for one or several requests, tokens. */
export interface TokenUse {
  readonly input: number;
  readonly output: number;
}

/** A count from outside: whole, finite, never negative. */
function counted(value: number): number {
  return Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
}

/** Counts calls of a tool. Pure; any text may be a tool's name. */
export function recordToolCall(
  document: SessionDocument,
  { tool, calls = 1, failures = 0 }: ToolCallCount,
): SessionDocument {
  const { total_calls, by_tool, failures: failed, ...rest } = document.tool_stats;
  const known = Object.hasOwn(by_tool, tool) ? (by_tool[tool] ?? 0) : 0;
  const tool_stats = {
    ...rest,
    total_calls: total_calls + counted(calls),
    by_tool: { ...by_tool, [tool]: known + counted(calls) },
    failures: failed + counted(failures),
  };
  return { ...document, tool_stats };
}

/** Adds tokens to the usage. Pure; what is not finite or below 0 adds nothing. */
export function recordUsage(
  document: SessionDocument,
  { input, output }: TokenUse,
): SessionDocument {
  const { total_input, total_output, by_session, ...rest } = document.token_usage;
  const token_usage = {
    ...rest,
    total_input: total_input + counted(input),
    total_output: total_output + counted(output),
    by_session: by_session + counted(input) + counted(output),
  };
  return { ...document, token_usage };
}
