import type { WrittenSummary } from '@ctx/compactor';
import { type Clock, type CompactionTrigger, type ContextStore, isCtxError } from '@ctx/core';
import type { CompactionPlan, CompactionReceipt, SessionWindow, Window } from '@ctx/truncation';
import type {
  CompactionFailure,
  SummaryOrigin,
  WindowCompactionOutcome,
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
  /** Told of what failed beside the compaction. */
  readonly onFailure: (failure: CompactionFailure) => void;
}

/** How often it is planned anew where the messages changed while the summary was written. */
const maxPlans = 2;

interface Committed {
  readonly receipt: CompactionReceipt;
  /** The event of the log that stands for it, where there is a log. */
  readonly sequence: number | undefined;
}

/** Puts the summary in. `undefined` where the messages of the plan are others now. */
async function commit(
  window: AnyWindow,
  plan: CompactionPlan,
  { text = '', extra }: WindowSummary,
): Promise<Committed | undefined> {
  try {
    const given = { summary: text, plan, ...(extra === undefined ? {} : { extra }) };
    const receipt = await window.compact(given);
    return { receipt, sequence: 'sequence' in receipt ? receipt.sequence : undefined };
  } catch (error) {
    if (isCtxError(error, 'CTX_INVALID_INPUT')) return undefined;
    throw error;
  }
}

function originOf({ summarizer, attempts, usage, record }: WrittenSummary, durationMs: number) {
  const trust = record?.trust ?? 'untrusted';
  return { summarizer: summarizer ?? 'none', attempts, usage, trust, durationMs };
}

/** What is written down of a compaction that was made. */
interface Made extends Committed {
  readonly plan: CompactionPlan;
  readonly text: string;
  readonly origin: SummaryOrigin;
  readonly at: number;
  readonly trigger: CompactionTrigger;
}

async function noteMade(
  { store, sessionId }: { readonly store: ContextStore; readonly sessionId: string },
  { plan, text, origin, at, trigger, receipt, sequence = 0 }: Made,
): Promise<number> {
  const { from, to, beforeTokens, afterTokens, pointer } = receipt;
  const record = await store.compactions.note(sessionId, {
    ...{ at, trigger, strategy: origin.summarizer, durationMs: origin.durationMs },
    ...{ tokensBefore: beforeTokens, tokensAfter: afterTokens, summary: text },
    ...{ summarised: [], offloaded: [], factsDropped: [], tasksPruned: [], before: {}, after: {} },
    kept: { entries: 0, shape: '' },
    messages: { from, to, tokens: plan.tokens, pointer, event: sequence },
  });
  return record.sequence;
}

/** The record is no part of the compaction: without it the window is compacted all the same. */
async function noteIfStored(
  window: AnyWindow,
  made: Made,
  onFailure: CompactWindowOptions['onFailure'],
): Promise<Pick<WindowCompactionOutcome, 'record'>> {
  if (!('store' in window)) return {};
  try {
    return { record: await noteMade(window, made) };
  } catch (error) {
    onFailure({ what: 'record', error });
    return {};
  }
}

/** Plans, writes and commits once. `undefined` where the messages of the plan are others now. */
async function compactOnce(
  window: AnyWindow,
  options: CompactWindowOptions,
): Promise<WindowCompactionOutcome | undefined> {
  const { clock, why, onFailure } = options;
  const plan = window.planCompaction();
  if (plan === undefined) return { compacted: false, why: 'nothing-leaves' };
  const startedAt = clock();
  const written = await writeWindowSummary(plan, options);
  const { text } = written;
  if (text === undefined) {
    return { compacted: false, why: 'no-summary', attempts: written.written.attempts };
  }
  const done = await commit(window, plan, written);
  if (done === undefined) return undefined;
  const at = clock();
  const origin = originOf(written.written, Math.max(0, at - startedAt));
  const { receipt } = done;
  const summary = { receipt, summary: origin };
  if (!receipt.done) return { compacted: false, why: 'no-shorter', ...summary };
  const made: Made = { ...done, plan, text, origin, at, trigger: `window-${why}` };
  return { compacted: true, why, ...summary, ...(await noteIfStored(window, made, onFailure)) };
}

/**
 * Lets summarisers write what stands for the oldest messages of a window, and puts it there.
 * Contract: until the commit nothing is changed; what comes in while the summary is written stays in view; whatever fails, the
 * window is as it was. Throws: `CTX_ABORTED`; `CTX_WINDOW_STUCK` after three in a row that made no room; the store's codes.
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
