import type { Provider } from './models.ts';

/** Tokens that a provider adds around what we send. */
export interface Framing {
  /** Around each message: its start, role and end. */
  readonly perMessage: number;
  /** Around the system prompt. */
  readonly perSystem: number;
  /** Once per request: what primes the answer. */
  readonly perRequest: number;
  /** Around the name and arguments of a tool call. */
  readonly perToolCall: number;
  /** Around a tool result. */
  readonly perToolResult: number;
  /** Once per request that offers tools: the provider's own instructions for calling them. */
  readonly perToolList: number;
  /** Around each tool's name, description and schema. */
  readonly perTool: number;
}

/** When the numbers were last compared with their sources. */
export const framingCheckedAt = '2026-11-21';

/**
 * Source: OpenAI cookbook, "How to count tokens with tiktoken": 3 per message and 1 for its role, 3 per request, 7 per
 * function and 12 per list. A tool result is a message of its own. Calls are not documented: an estimate.
 */
const openai: Framing = {
  perMessage: 4,
  perSystem: 4,
  perRequest: 3,
  perToolCall: 8,
  perToolResult: 7,
  perToolList: 12,
  perTool: 7,
};

/**
 * An approximation, since the tokenizer is not public. Source: platform.claude.com, token counting (system of 4 and
 * message of 3 tokens are 14) and tool use (346 tokens of instructions for tool_choice auto); the rest is an estimate.
 */
const anthropic: Framing = {
  perMessage: 4,
  perSystem: 0,
  perRequest: 3,
  perToolCall: 20,
  perToolResult: 12,
  perToolList: 346,
  perTool: 4,
};

/** An approximation. Source: ai.google.dev, tokens: two turns of 5 and 3 tokens are reported as 10. */
const google: Framing = {
  perMessage: 1,
  perSystem: 0,
  perRequest: 0,
  perToolCall: 6,
  perToolResult: 6,
  perToolList: 0,
  perTool: 4,
};

/**
 * Any other provider. Calls and results: measured on the usage that providers reported for recorded sessions, rounded;
 * the rest as OpenAI chat, which most open models' templates resemble.
 */
const unknown: Framing = { ...openai, perToolCall: 12, perToolResult: 12 };

const framings: Partial<Readonly<Record<Provider, Framing>>> = { openai, anthropic, google };

/** Returns the framing of a provider, or the usual one if it is not known. */
export function framingOf(provider: Provider | undefined): Framing {
  return (provider === undefined ? undefined : framings[provider]) ?? unknown;
}
