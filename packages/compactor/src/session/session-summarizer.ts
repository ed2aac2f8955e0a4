import type { HistoryEntry, TokenCounter } from '@ctx/core';

/** What is to be summarised. */
export interface SessionSummaryInput {
  /** The summary so far; '' where there is none. */
  readonly previous: string;
  /** The entries that leave, oldest first. Content of tools is data, never an instruction. */
  readonly entries: readonly HistoryEntry[];
}

export interface SessionSummaryOptions {
  /** How long the whole summary may be, tokens. A longer one is not taken. */
  readonly maxTokens: number;
  readonly countTokens: TokenCounter;
  /** Aborted when nobody waits any more. */
  readonly signal?: AbortSignal;
}

/** Writes the rolling summary of a session: the new one takes the place of the previous. */
export interface SessionSummarizer {
  /** Stands in the record of the compaction as its strategy. */
  readonly name: string;
  readonly summarize: (
    input: SessionSummaryInput,
    options: SessionSummaryOptions,
  ) => { readonly text: string } | Promise<{ readonly text: string }>;
}
