import { contextLimit, usableWindow, type WindowSize } from './context-limit.ts';
import type { ClassicStrategy } from './strategies.ts';

/** What a provider reported for one request, tokens. What is absent or no number counts as 0. */
export interface ReportedUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly cacheReadTokens?: number;
}

export interface CompactionOptions extends WindowSize {
  /** Share of the window, 0…1, at which to compact where that is below the limit. Default: the limit alone; so with 0. */
  readonly thresholdShare?: number;
}

/** One report, with the name of the request it belongs to. */
export interface UsageSample {
  readonly requestId: string;
  readonly usage: ReportedUsage;
}

/** Whether to compact after a request, and how much to leave. */
export interface UsageVerdict {
  readonly compact: boolean;
  readonly strategy?: ClassicStrategy;
  /** Hand it in with the next sample. */
  readonly judgedRequestId?: string;
}

/** Everything a request took up in the window, its answer included. */
export function tokensOfUsage(usage: ReportedUsage): number {
  const { inputTokens, outputTokens, cacheWriteTokens, cacheReadTokens } = usage;
  return [inputTokens, outputTokens, cacheWriteTokens, cacheReadTokens].reduce<number>(
    (sum, tokens) => sum + (tokens !== undefined && tokens > 0 ? tokens : 0),
    0,
  );
}

/** Tokens from which on to compact. */
export function compactionTrigger({ thresholdShare, ...size }: CompactionOptions): number {
  const window = usableWindow(size);
  const limit = contextLimit(window);
  const isGiven = thresholdShare !== undefined && thresholdShare > 0;
  return isGiven ? Math.min(limit, Math.floor(window * thresholdShare)) : limit;
}

/** Whether the last request came so close to the window that the next one should be smaller. No usage, no compaction. */
export function shouldCompact(
  usage: ReportedUsage | undefined,
  options: CompactionOptions = {},
): boolean {
  return usage !== undefined && tokensOfUsage(usage) >= compactionTrigger(options);
}

/** How much to leave: a quarter where half would still be over the limit. */
export function compactionStrategy(totalTokens: number, limitTokens: number): ClassicStrategy {
  return totalTokens / 2 > limitTokens ? 'quarter' : 'half';
}

/**
 * Judges a sample once: the same request's usage never leads to a second compaction.
 * Pure; the state is `judgedRequestId`, which the caller carries from verdict to sample.
 */
export function judgeUsage(
  sample: UsageSample | undefined,
  judgedRequestId: string | undefined,
  options: CompactionOptions = {},
): UsageVerdict {
  if (sample === undefined || sample.requestId === judgedRequestId) {
    return { compact: false, ...(judgedRequestId === undefined ? {} : { judgedRequestId }) };
  }
  const judged = { judgedRequestId: sample.requestId };
  if (!shouldCompact(sample.usage, options)) return { compact: false, ...judged };
  const limit = contextLimit(usableWindow(options));
  return {
    compact: true,
    strategy: compactionStrategy(tokensOfUsage(sample.usage), limit),
    ...judged,
  };
}
