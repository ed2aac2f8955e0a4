import type { SessionCompactionReceipt, writeSummary } from '@ctx/compactor';
import type { Trust } from '@ctx/core';
import type { CompactionMoment, WindowCompactionReceipt } from '../context-manager/window-types.ts';

/**
 * Why a window was compacted, or why not: the reasons of the moment (`refused`: the provider refused
 * the last request, so the next is made to fit at once, without a model); then `manual`: it was asked for; `not-full`: it would pay,
 * but only a full window is to be compacted; `nothing-leaves`: there is
 * nothing but the newest messages; `no-summary`: none was accepted; `no-shorter`: the request would not have been shorter;
 * `changed`: the messages were others each time the summary was there.
 */
export type CompactionReason =
  | CompactionMoment['why']
  | 'manual'
  | 'not-full'
  | 'nothing-leaves'
  | 'no-summary'
  | 'no-shorter'
  | 'changed';

/** What `writeSummary` returns. */
export type WrittenSummary = Awaited<ReturnType<typeof writeSummary>>;

/** How a summary came about. */
export interface SummaryOrigin {
  /** The summariser whose text stands now. */
  readonly summarizer: string;
  readonly attempts: WrittenSummary['attempts'];
  readonly usage: WrittenSummary['usage'];
  readonly trust: Trust;
  /** From the plan to the commit, ms. */
  readonly durationMs: number;
}

/** What became of a window. */
export interface WindowCompactionOutcome {
  readonly compacted: boolean;
  readonly why: CompactionReason;
  /** What the window did; present where it was asked to compact. */
  readonly receipt?: WindowCompactionReceipt;
  /** Present where there is a summary. */
  readonly summary?: SummaryOrigin;
  /** What was tried where no summary was accepted. */
  readonly attempts?: WrittenSummary['attempts'];
  /** Number of the record in the session's compactions; absent without a store. */
  readonly record?: number;
}

/** A part that failed. The other parts did what they say. */
export interface CompactionFailure {
  /** `session`: the document is as it was. */
  readonly what: 'session';
  readonly error: unknown;
}

/** What was done before a request. */
export interface AutomaticCompactionReceipt {
  readonly window: WindowCompactionOutcome;
  /** What became of the session's document; absent where nothing was due, or where there is none. */
  readonly session?: SessionCompactionReceipt;
  readonly failures: readonly CompactionFailure[];
}
