import type { TokenCounter } from '@ctx/core';
import type { HistoryEntry } from '@ctx/store';
import type { FinishReason } from '../../summary/summarizer.ts';

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
  /** Aborted when the answer is no longer awaited. */
  readonly signal?: AbortSignal;
}

/** A summary of a session that is not checked yet. */
export interface SessionSummaryDraft {
  readonly text: string;
  /** Why the summariser stopped. Default `stop`; a text that ended otherwise is not taken. */
  readonly finish?: FinishReason;
  /** The mark of the quotes in the text. Default: it has none, and what looks like marks is broken up. */
  readonly mark?: string;
}

/** Writes the rolling summary of a session: the new one takes the place of the previous. What it says is checked before it is used. */
export interface SessionSummarizer {
  /** Stands in the record of the compaction as its strategy. */
  readonly name: string;
  readonly summarize: (
    input: SessionSummaryInput,
    options: SessionSummaryOptions,
  ) => SessionSummaryDraft | Promise<SessionSummaryDraft>;
  /** Those tried one after the other, where this is a chain. */
  readonly members?: readonly SessionSummarizer[];
}
