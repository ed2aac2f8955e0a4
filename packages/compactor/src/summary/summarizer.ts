import type { Message, TokenCounter } from '@ctx/core';
import type { Ledger } from '../ledger/ledger.ts';
import type { PointersByCall } from '../reading/read-history.ts';

/** What stays of a conversation around the messages that a summary stands for. */
export interface SurroundingMessages {
  readonly before: readonly Message[];
  readonly after: readonly Message[];
}

/** What a summariser is given. */
export interface SummaryRequest {
  /** What the summary will stand for, oldest first. */
  readonly messages: readonly Message[];
  /** Summary of what came before the messages. The new one replaces it, too. */
  readonly earlier?: string;
  /** What stays around the messages, to know the goal, the newest plan and what was asked last. */
  readonly around?: SurroundingMessages;
  /** What must outlive the compaction. Code adds what the summary lacks, so this is for orientation only. */
  readonly ledger: Ledger;
  /** Pointers by call id. */
  readonly pointers?: PointersByCall;
  /** What the summary may take, by `countTokens`. */
  readonly maxTokens: number;
  readonly countTokens: TokenCounter;
  /** The mark between which text from tools is quoted, both towards a model and in the summary. */
  readonly mark: string;
  /** Aborted when the answer is no longer awaited. */
  readonly signal?: AbortSignal;
}

/** What a model says it used. */
export interface SummaryUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Requests that were sent. */
  readonly requests: number;
}

/** Why a summariser stopped: at its end, at its limit, to call a tool, or for another reason. */
export type FinishReason = 'stop' | 'length' | 'tool-call' | 'other';

/** A summary that is not checked yet. */
export interface SummaryDraft {
  readonly text: string;
  readonly finish: FinishReason;
  readonly usage?: SummaryUsage;
}

/**
 * Makes summaries.
 * `summarize` changes nothing; it may fail in any way: what it returns is checked before it is used.
 */
export interface Summarizer {
  /** For receipts, such as `extractive`. */
  readonly name: string;
  readonly summarize: (request: SummaryRequest) => Promise<SummaryDraft>;
  /** Titles of the sections that its summaries have, in their order. Default the seven of `sectionTitles`. */
  readonly sections?: readonly string[];
  /** Those tried one after the other, where this is a chain. */
  readonly members?: readonly Summarizer[];
}
