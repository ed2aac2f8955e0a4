import { CtxError, type TokenCounter } from '@ctx/core';
import { fingerprintText } from '@ctx/core/encoding';
import {
  type HistoryEntry,
  type SessionCompaction,
  type SessionDocument,
  sessionExtras,
  tidyDocument,
} from '@ctx/store';
import { checkOptions } from '../summary/check-inputs.ts';
import {
  type SessionCompactionPolicy,
  sessionCompactionPolicy,
} from './session-compaction-policy.ts';
import { type EntryPlace, type ShrunkHistory, shrinkHistory } from './shrink-history.ts';

/** What a plan is made from. */
export interface PlanSessionOptions {
  readonly countTokens: TokenCounter;
  /** ms since the epoch; decides which tasks are due. */
  readonly now: number;
  readonly policy?: Partial<SessionCompactionPolicy>;
  /** Cuts the history to `keepEntries` also where it is not yet over `maxEntries`. Default false. */
  readonly isManual?: boolean;
}

/** What a compaction would do to a session's document. Plain data. */
export interface SessionCompactionPlan {
  readonly trigger: SessionCompaction['trigger'];
  /** Entries before this place of the recent history leave; the summary stands for them. */
  readonly start: number;
  /** Entries that stay as a preview with a pointer, in the history or pinned. */
  readonly offload: readonly EntryPlace[];
  /** Entries of the history that stay, stubs included. */
  readonly keeps: number;
  /** The summary is over its cap and written anew. */
  readonly shortensSummary: boolean;
  readonly factsDropped: readonly string[];
  readonly tasksPruned: SessionDocument['active_tasks'];
  /** Estimate of the history's tokens afterwards. */
  readonly historyTokens: number;
  /** Whether the history is within `maxTokens` then; where not, `biggest` says why. */
  readonly fits: boolean;
  readonly biggest: ShrunkHistory['biggest'];
}

/** Knows a history again by the roles and times of its entries: what they say may be redacted or forgotten meanwhile. */
export function shapeOf(entries: readonly HistoryEntry[]): string {
  const lines = entries.map(
    ({ timestamp, role }) => `${String(timestamp)} ${JSON.stringify(role)}`,
  );
  return fingerprintText(lines.join('\n'));
}

/** What of `before` is not in `after`, each as often as it is missing. */
export function missing<T>(before: readonly T[], after: readonly T[]): readonly T[] {
  const left = new Map<T, number>();
  for (const one of after) left.set(one, (left.get(one) ?? 0) + 1);
  return before.filter((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count <= 0;
  });
}

interface Findings {
  readonly cuts: boolean;
  readonly tooMany: boolean;
  readonly tooLong: boolean;
  readonly facts: boolean;
  readonly tasks: boolean;
}

function triggerOf(
  { cuts, tooMany, tooLong, facts, tasks }: Findings,
  isManual: boolean,
): SessionCompaction['trigger'] | undefined {
  if (!cuts && !tooLong && !facts && !tasks) return undefined;
  if (isManual) return 'manual';
  if (tooMany) return 'entries';
  if (cuts || tooLong) return 'tokens';
  return facts ? 'facts' : 'tasks';
}

/**
 * Decides whether and how a session is compacted: the history to its newest entries, then to its tokens; facts that say the same
 * to one; finished tasks that are due out.
 * Pure; `undefined` where nothing is to be done, so a second run after a compaction finds nothing. Entries without token
 * counts are counted. Makes one pass over history, facts and tasks; tokens are counted of what stays only.
 * @throws `CTX_INVALID_OPTION` for a policy that makes no sense.
 */
export function planSessionCompaction(
  document: SessionDocument,
  options: PlanSessionOptions,
): SessionCompactionPlan | undefined {
  checkOptions(options);
  if (!Array.isArray(document.recent_history)) {
    throw new CtxError(
      'CTX_INVALID_INPUT',
      'recent_history must be a list: not a session document',
    );
  }
  const { countTokens, now, isManual = false } = options;
  const policy = sessionCompactionPolicy(options.policy);
  const { recent_history: history, long_term_summary: summary } = document;
  const entriesLimit = isManual ? policy.keepEntries : policy.maxEntries;
  const pinnedBefore = sessionExtras(document).pinned_history;
  const shrunk = shrinkHistory({ history, pinnedBefore, policy, countTokens, entriesLimit });
  const shortensSummary = countTokens(summary) > policy.summaryTokens;
  const tidy = tidyDocument(document, now, { keepFinishedMs: policy.keepFinishedMs });
  const factsDropped = missing(document.facts, tidy.facts);
  const tasksPruned = missing(document.active_tasks, tidy.active_tasks);
  const findings = {
    cuts: shrunk.start > 0 || shrunk.offloaded.length > 0,
    tooMany: history.length > entriesLimit && shrunk.start > 0,
    tooLong: shortensSummary,
    facts: factsDropped.length > 0,
    tasks: tasksPruned.length > 0,
  };
  const trigger = triggerOf(findings, isManual);
  if (trigger === undefined) return undefined;
  return {
    trigger,
    start: shrunk.start,
    offload: shrunk.offloaded,
    keeps: history.length - shrunk.start,
    shortensSummary,
    factsDropped,
    tasksPruned,
    historyTokens: shrunk.tokens,
    fits: shrunk.fits,
    biggest: shrunk.biggest,
  };
}
