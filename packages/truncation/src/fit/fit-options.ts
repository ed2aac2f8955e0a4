import type { Message } from '@ctx/core';
import type { DescribeCall } from '../calls/describe-call.ts';
import type { PreviewText } from '../window/insert/plan-insert.ts';
import type { WindowPolicy, WindowTails } from '../window/window-policy.ts';

/** How a conversation is made to fit. */
export interface FitMessagesOptions {
  /** Most tokens of the whole request. */
  readonly budgetTokens: number;
  /** Tokens that the request carries besides the messages, by part, such as `system prompt` and `tools`. */
  readonly fixedTokens?: Readonly<Record<string, number>>;
  /** Tokens of a message. Pure, and at least those of its blocks together. */
  readonly tokensOf: (message: Message) => number;
  /** What becomes of what has to leave. Default: the window's default mode, which fills the budget. */
  readonly policy?: WindowPolicy;
  /** How much of the newest stays whole, by kind, tokens. Default: the budget for each. */
  readonly tails?: Partial<WindowTails>;
  /** Where the results are kept, by call id. Default: at the address of their messages. */
  readonly pointers?: Readonly<Record<string, string>>;
  /** Where the given messages from `from` to `to` (inclusive) are kept. Default `ctx://messages/<from>-<to>`. */
  readonly addressOf?: AddressOf;
  /** What stands for a large result. Default: its beginning and its end, with the address. */
  readonly previewText?: PreviewText;
  /** Default: the tools that ctx knows. */
  readonly describeCall?: DescribeCall;
}

/** Names where messages are kept. Pure. */
export type AddressOf = (from: number, to: number) => string;

/** Everything besides the messages, tokens. */
export function fixedTotal({ fixedTokens = {} }: FitMessagesOptions): number {
  return Object.values(fixedTokens).reduce((sum, tokens) => sum + tokens, 0);
}
