import type { Trust } from '@ctx/core';
import type { FinishReason, SummaryUsage } from '../summary/summarizer.ts';
import type { SummaryProblem } from '../verify/problems.ts';
import type { NoCompactionReason } from './plan-compaction.ts';

/** What one attempt to summarise came to. */
export interface SummaryAttempt {
  readonly summarizer: string;
  readonly outcome: 'accepted' | 'refused' | 'failed' | 'timed-out';
  readonly finish?: FinishReason;
  readonly problems: readonly SummaryProblem[];
  readonly usage?: SummaryUsage;
}

/** What a compaction did. */
export interface CompactionReceipt {
  /** Whether the messages are others than before. */
  readonly changed: boolean;
  /** Why nothing changed. `frees-too-little`: less than 30 % of the tokens that it would replace. */
  readonly reason?: NoCompactionReason | 'no-summary-accepted' | 'frees-too-little';
  /** The summariser whose text stands now. */
  readonly summarizer?: string;
  readonly attempts: readonly SummaryAttempt[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** 0 to 1. */
  readonly savedShare: number;
  /** Messages that left, and their tokens. */
  readonly leftMessages: number;
  readonly leftTokens: number;
  /** Tokens of the summary's message, all that code added included. */
  readonly summaryTokens: number;
  /** Tokens of the lines chosen without a model. */
  readonly annexTokens: number;
  /** Ledger entries and pinned texts that the summary lacked. */
  readonly addedEntries: number;
  /** Texts of the user that are carried, and those of them that were shortened. */
  readonly carriedTexts: number;
  readonly shortenedTexts: number;
  /** Entries and texts of the user for which no room was. */
  readonly leftOut: number;
  /** How far the summary is to be believed. */
  readonly trust: Trust;
  /** Whether the result is within the target. */
  readonly fits: boolean;
  /** What the models used, over all attempts. */
  readonly usage: SummaryUsage;
}

/** The usage of several attempts together. */
export function totalUsage(attempts: readonly SummaryAttempt[]): SummaryUsage {
  const sum = (read: (usage: SummaryUsage) => number): number =>
    attempts.reduce((total, { usage }) => total + (usage === undefined ? 0 : read(usage)), 0);
  return {
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    requests: sum(({ requests }) => requests),
  };
}
