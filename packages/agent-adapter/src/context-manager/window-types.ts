import type { SessionLog, SessionWindow, UsageReport, Window } from '@ctx/truncation';

// What the methods of a window take and return, each under one name.

/** Why the prompt cache held less than expected. */
export type CacheMiss = NonNullable<UsageReport['miss']>;
/** Whether a compaction pays now, and why. */
export type CompactionMoment = ReturnType<Window['compactionMoment']>;
/** What left the view for a request. */
export type Flush = NonNullable<WindowRequest['flush']>;
/** A message that a log took in. */
export type HistoryMark = Awaited<ReturnType<SessionLog['history']>>[number];
/** What a compaction of a session did. */
export type LoggedCompaction = Awaited<ReturnType<SessionWindow['compact']>>;
/** What a refusal says about the size of the window. */
export type Overflow = NonNullable<ReturnType<Window['overflowed']>>;
/** Where one of them is. */
export type RecordedResult =
  RecordedResults extends ReadonlyMap<string, infer Result> ? Result : never;
/** Results that are stored already, by call id. */
export type RecordedResults = NonNullable<
  NonNullable<Parameters<SessionWindow['insert']>[1]>['stored']
>;
/** What of a request is known before it is made. */
export type RequestParts = NonNullable<Parameters<Window['request']>[1]>;
/** What a rewind did. */
export type RewindReceipt = Awaited<ReturnType<SessionWindow['rewind']>>;
/** A moment of a window that has a name. */
export type WindowCheckpoint = ReturnType<SessionWindow['checkpoints']>[number];
/** What a compaction would take out. */
export type WindowCompactionPlan = NonNullable<ReturnType<Window['planCompaction']>>;
/** What a compaction did. */
export type WindowCompactionReceipt = ReturnType<Window['compact']>;
/** The messages to send. */
export type WindowRequest = ReturnType<Window['request']>;
/** How large a window is, and what every request carries besides the messages. */
export type WindowSizes = Parameters<Window['resize']>[0];
