import { type Clock, isCtxError, type Message } from '@ctx/core';
import { copyData } from '@ctx/core/encoding';
import type { CompactionDraft } from '@ctx/store';
import { type SessionWindow, sessionLog, type Window } from '@ctx/truncation';
import type {
  LoggedCompaction,
  WindowCompactionPlan,
  WindowCompactionReceipt,
} from '../context-manager/window-types.ts';
import type {
  SummaryOrigin,
  WindowCompactionOutcome,
  WrittenSummary,
} from './compaction-outcome.ts';
import {
  type WindowSummary,
  type WindowSummaryOptions,
  writeWindowSummary,
} from './window-summary.ts';

/** A window of either kind. */
export type AnyWindow = Window | SessionWindow;

/** What compacting a window takes. */
export interface CompactWindowOptions extends WindowSummaryOptions {
  readonly clock: Clock;
  readonly why: 'full' | 'pays' | 'manual';
}

/** How often it is planned anew where the messages changed while the summary was written. */
const maxPlans = 2;

function originOf({ summarizer, attempts, usage, record }: WrittenSummary, durationMs: number) {
  const trust = record?.trust ?? 'untrusted';
  return { summarizer: summarizer ?? 'none', attempts, usage, trust, durationMs };
}

/** What is written down of a compaction beside what it did. */
interface Told {
  readonly plan: WindowCompactionPlan;
  readonly text: string;
  readonly origin: SummaryOrigin;
  readonly at: number;
  readonly trigger: CompactionDraft['trigger'];
}

function recordOf(
  { plan, text, origin, at, trigger }: Told,
  { from, to, beforeTokens, afterTokens, pointer, sequence }: LoggedCompaction,
): CompactionDraft {
  return {
    ...{ at, trigger, strategy: origin.summarizer, durationMs: origin.durationMs },
    ...{ tokensBefore: beforeTokens, tokensAfter: afterTokens, summary: text },
    ...{ summarised: [], offloaded: [], factsDropped: [], tasksPruned: [], before: {}, after: {} },
    kept: { entries: 0, shape: '' },
    messages: { from, to, tokens: plan.tokens, pointer, event: sequence },
  };
}

/** Puts the summary in, with its record where there is a store. `undefined` where the messages of the plan are others now. */
async function commit(
  window: AnyWindow,
  told: Told,
  { extra }: WindowSummary,
): Promise<(WindowCompactionReceipt & Pick<LoggedCompaction, 'record'>) | undefined> {
  const { plan, text } = told;
  const given = { summary: text, plan, ...(extra === undefined ? {} : { extra }) };
  try {
    if (!('store' in window)) return window.compact(given);
    return await window.compact(given, (made) => recordOf(told, made));
  } catch (error) {
    if (isCtxError(error, 'CTX_INVALID_INPUT')) return undefined;
    throw error;
  }
}

/** The messages that no summary stands for yet, as they came: a view may show parts of them, or nothing. */
async function originalsOf(
  window: AnyWindow,
  { next, to }: WindowCompactionPlan,
): Promise<readonly Message[] | undefined> {
  if (!('store' in window)) return undefined;
  const found = await sessionLog(window.store, window.sessionId).messages({ from: next, to });
  return found.map(({ message }) => message);
}

/** Plans, writes and commits once. `undefined` where the messages of the plan are others now. */
async function compactOnce(
  window: AnyWindow,
  options: CompactWindowOptions,
): Promise<WindowCompactionOutcome | undefined> {
  const { clock, why } = options;
  // Summarisers of the host see it.
  const plan = copyData(window.planCompaction());
  if (plan === undefined) return { compacted: false, why: 'nothing-leaves' };
  if (plan.roomTokens === 0) return { compacted: false, why: 'no-shorter' };
  const startedAt = clock();
  const originals = await originalsOf(window, plan);
  const written = await writeWindowSummary(plan, { ...options, originals });
  const { text } = written;
  if (text === undefined) {
    return { compacted: false, why: 'no-summary', attempts: written.written.attempts };
  }
  const at = clock();
  const origin = originOf(written.written, Math.max(0, at - startedAt));
  const told: Told = { plan, text, origin, at, trigger: `window-${why}` };
  const done = await commit(window, told, written);
  if (done === undefined) return undefined;
  const { record, ...receipt } = done;
  const summary = { receipt, summary: origin };
  if (!receipt.done) return { compacted: false, why: 'no-shorter', ...summary };
  return { compacted: true, why, ...summary, ...(record === undefined ? {} : { record }) };
}

/**
 * Lets summarisers write what stands for the oldest messages of a window, and puts it there.
 * Until the commit nothing is changed; what comes in while the summary is written stays in view; whatever fails, the
 * window is as it was.
 * @throws `CTX_ABORTED`; `CTX_WINDOW_STUCK` after three in a row that made no room; the store's codes.
 */
export async function compactWindow(
  window: AnyWindow,
  options: CompactWindowOptions,
): Promise<WindowCompactionOutcome> {
  for (let count = 0; count < maxPlans; count += 1) {
    const outcome = await compactOnce(window, options);
    if (outcome !== undefined) return outcome;
  }
  return { compacted: false, why: 'changed' };
}
