import type { Message, TokenCounter } from '@ctx/core';
import type { CachePrice } from '@ctx/truncation/cost';
import type { RecordedOutput } from '../record-tool-output.ts';

/** What a policy is told at the start of a session. */
export interface PolicyContext {
  readonly windowTokens: number;
  /** Tokens that every request carries besides the messages (the system prompt). */
  readonly fixedTokens: number;
  /** Tokens of a message as it is. Cost: counted once a block. */
  readonly tokensOf: (message: Message) => number;
  readonly countTokens: TokenCounter;
  /** What the provider charges for cached input, and how long it keeps it. */
  readonly price: CachePrice;
}

/** One way of keeping a session inside its window, as `ctx replay` compares them. */
export interface ReplayPolicy {
  readonly name: string;
  /** One line for people. */
  readonly description: string;
  start(context: PolicyContext): PolicyRun;
}

/** A policy at work on one session. */
export interface PolicyRun {
  /** Takes the next message of the session; `outputs` holds what became of its tool results, by call id. */
  insert(message: Message, outputs: ReadonlyMap<string, RecordedOutput>): void;
  /**
   * The messages of the request at `now`, ms from the first one.
   * Contract: messages and blocks that did not change are the same objects.
   */
  render(now: number): readonly Message[];
  /** Ids of the stored outputs whose pointers stand in the next request. */
  pointers(): ReadonlySet<string>;
}
