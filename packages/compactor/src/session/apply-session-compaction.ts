import { CtxError, isCtxError } from '@ctx/core';
import {
  type ContextStore,
  type HistoryEntry,
  type Session,
  type SessionCompaction,
  type SessionDocument,
  sessionExtras,
} from '@ctx/store';
import { compactedDocument, type PlacedStub } from './compacted-document.ts';
import { stubOf } from './offload-entry.ts';
import { planHolds } from './plan-holds.ts';
import { missing, type SessionCompactionPlan, shapeOf } from './plan-session-compaction.ts';
import type { SessionCompactionPolicy } from './session-compaction-policy.ts';
import { sessionCompactionPolicy } from './session-compaction-policy.ts';
import { sessionTokens } from './session-tokens.ts';
import type { EntryPlace } from './shrink-history.ts';
import { type GuardedSummary, guardedSummary } from './summary/guarded-summary.ts';
import type { SessionSummarizer } from './summary/session-summarizer.ts';
import { rulesAfter, rulesTokens, withoutRules, withRules } from './summary/standing-rules.ts';

/** How a plan is carried out. */
export interface ApplySessionOptions {
  /**
   * Default, without a model: a line for each entry where what is summarised has no more tokens than the summary may have, else
   * `extractive()`. These two are what is left when the given one fails, too.
   */
  readonly summarizer?: SessionSummarizer;
  readonly policy?: Partial<SessionCompactionPolicy>;
  /** How long one try of the summariser may take, ms. Default 60,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** What a compaction really did. */
export interface SessionCompactionReceipt {
  readonly compaction: SessionCompaction;
  /** The session as it is now. */
  readonly session: Session;
  /** Why summaries were not taken, one line each. */
  readonly refused: readonly string[];
  /** Whether the history is within `maxTokens` now. */
  readonly fits: boolean;
  readonly biggest: SessionCompactionPlan['biggest'];
}

/** A compaction that was asked for and not made: the document would not have been shorter. Nothing was changed. */
export interface SessionCompactionRefusal {
  readonly reason: 'no-shorter';
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

interface Applying {
  readonly store: ContextStore;
  readonly plan: SessionCompactionPlan;
  readonly policy: SessionCompactionPolicy;
  readonly startedAt: number;
  /** The document that the plan and the summary are about. */
  readonly basis: SessionDocument;
  readonly summary: GuardedSummary | undefined;
  /** Rules of the user that left the history, now and before. */
  readonly rules: readonly string[];
}

function entryAt(document: SessionDocument, { list, index }: EntryPlace): HistoryEntry | undefined {
  if (list === 'history') return document.recent_history[index];
  return sessionExtras(document).pinned_history[index];
}

interface Offload extends PlacedStub {
  readonly entry: HistoryEntry;
  readonly outputId: string;
}

/** Keeps the whole content of the entries that become stubs. What a later step makes void costs a stored output, no content. */
async function offloadEntries(
  { store, plan, basis, policy }: Applying,
  sessionId: string,
): Promise<Offload[]> {
  const offloads: Offload[] = [];
  const { previewTokens } = policy;
  for (const place of plan.offload) {
    const entry = entryAt(basis, place);
    if (entry === undefined) continue;
    const { role, timestamp, content } = entry;
    const { pointer } = await store.outputs.save({
      sessionId,
      toolName: 'session-entry',
      args: { role, timestamp },
      result: content,
    });
    const stub = stubOf(entry, pointer, { previewTokens, countTokens: store.countTokens });
    offloads.push({ place, entry, stub, outputId: pointer.id });
  }
  return offloads;
}

function changedMembers(from: SessionDocument, to: SessionDocument): SessionCompaction['before'] {
  const { long_term_summary, facts, active_tasks, ctx } = from;
  return {
    ...(long_term_summary === to.long_term_summary ? {} : { long_term_summary }),
    ...(facts === to.facts ? {} : { facts }),
    ...(active_tasks === to.active_tasks ? {} : { active_tasks }),
    ...(JSON.stringify(ctx) === JSON.stringify(to.ctx) ? {} : { ctx }),
  };
}

function offloadedIn(
  offloads: readonly Offload[],
  start: number,
): SessionCompaction['offloaded'][number][] {
  return offloads.flatMap(({ place: { list, index }, entry, outputId }) =>
    list === 'history' && index >= start ? [{ index, entry, outputId }] : [],
  );
}

/** Whether it was only asked for, and would do nothing but put a summary in the place of something shorter. */
function isInVain(
  { trigger, factsDropped, tasksPruned, shortensSummary }: SessionCompactionPlan,
  { tokensBefore, tokensAfter }: Omit<SessionCompactionRefusal, 'reason'>,
): boolean {
  const tidies = factsDropped.length > 0 || tasksPruned.length > 0 || shortensSummary;
  return trigger === 'manual' && !tidies && tokensAfter >= tokensBefore;
}

/** Writes the compacted session over the version that was read, with the record of what was done. */
async function commitOn(
  applying: Applying,
  session: Session,
  offloads: readonly Offload[],
): Promise<SessionCompactionReceipt | SessionCompactionRefusal> {
  const { store, plan, policy, summary, rules, startedAt } = applying;
  const { countTokens, clock } = store;
  const before = session.document;
  const now = clock();
  const { keepFinishedMs } = policy;
  const after = compactedDocument(before, {
    ...{ start: plan.start, summary: summary?.text, stubs: offloads, rules, now, keepFinishedMs },
  });
  const sizes = {
    tokensBefore: sessionTokens(before, countTokens),
    tokensAfter: sessionTokens(after, countTokens),
  };
  if (isInVain(plan, sizes)) return { reason: 'no-shorter', ...sizes };
  const next = { ...session, document: after, updatedAt: Math.max(now, session.updatedAt) };
  const leaving = before.recent_history.slice(0, plan.start);
  const compaction = await store.compactions.commit(next, {
    at: now,
    trigger: plan.trigger,
    strategy: summary?.strategy ?? 'none',
    durationMs: Math.max(0, now - startedAt),
    ...sizes,
    summarised: leaving.map((entry, index) => ({ index, entry })),
    offloaded: offloadedIn(offloads, plan.start),
    factsDropped: missing(before.facts, after.facts),
    tasksPruned: before.active_tasks.filter((task) => !after.active_tasks.includes(task)),
    summary: after.long_term_summary,
    before: changedMembers(before, after),
    after: changedMembers(after, before),
    kept: { entries: after.recent_history.length, shape: shapeOf(after.recent_history) },
  });
  const { fits, biggest } = plan;
  const saved = { ...next, version: session.version + 1 };
  return { compaction, session: saved, refused: summary?.refused ?? [], fits, biggest };
}

/** The summary, followed by the rules of the user. */
async function summarize(
  { store, plan, basis, policy }: Omit<Applying, 'summary' | 'rules'>,
  { summarizer, timeoutMs = 60_000, signal }: ApplySessionOptions,
): Promise<Pick<Applying, 'summary' | 'rules'>> {
  const { constraints } = sessionExtras(basis);
  if (plan.start === 0 && !plan.shortensSummary) return { summary: undefined, rules: constraints };
  const { countTokens } = store;
  const { summaryTokens } = policy;
  const entries = basis.recent_history.slice(0, plan.start);
  const rules = rulesAfter(entries, constraints, { summaryTokens, countTokens });
  const previous = withoutRules(basis.long_term_summary);
  const written = await guardedSummary(
    { previous, entries },
    {
      timeoutMs,
      maxTokens: summaryTokens - rulesTokens(rules, countTokens),
      countTokens,
      ...(summarizer === undefined ? {} : { summarizer }),
      ...(signal === undefined ? {} : { signal }),
    },
  );
  return { summary: { ...written, text: withRules(withoutRules(written.text), rules) }, rules };
}

/** Most writers that may come between before the plan is given up. */
const maxRebases = 100;

/** Commits, and where others have only added meanwhile commits on what they wrote. `undefined` where the plan no longer holds. */
async function commitRebasing(
  applying: Applying,
  session: Session,
  offloads: readonly Offload[],
): Promise<SessionCompactionReceipt | SessionCompactionRefusal | undefined> {
  let current = session;
  for (let count = 0; count < maxRebases; count += 1) {
    try {
      return await commitOn(applying, current, offloads);
    } catch (error) {
      if (!isCtxError(error, 'CTX_STORE_CONFLICT')) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.min(count, 20)));
      const fresh = await applying.store.sessions.get(session.id);
      if (fresh === undefined) return undefined;
      if (!planHolds(applying.plan, applying.basis, fresh.document)) return undefined;
      current = fresh;
    }
  }
  throw new CtxError('CTX_STORE_BUSY', `session ${session.id} is written too often to compact it`);
}

/**
 * Carries out a plan: offloads, summarises, then writes session and record in one transaction.
 * Nothing of the session is changed before that write; entries that others add meanwhile all stay. `undefined` where
 * the session was changed otherwise, so that the plan no longer holds: plan again. A manual one that would make the document no
 * shorter, and tidies nothing else up, is refused.
 * @throws `CTX_ABORTED`, `CTX_STORE_BUSY`, and the codes of the store.
 */
export async function applySessionCompaction(
  store: ContextStore,
  { session, plan }: { readonly session: Session; readonly plan: SessionCompactionPlan },
  options: ApplySessionOptions = {},
): Promise<SessionCompactionReceipt | SessionCompactionRefusal | undefined> {
  const startedAt = store.clock();
  const policy = sessionCompactionPolicy(options.policy);
  const basis = session.document;
  const written = await summarize({ store, plan, policy, startedAt, basis }, options);
  const applying = { store, plan, policy, startedAt, basis, ...written };
  const offloads = await offloadEntries(applying, session.id);
  return commitRebasing(applying, session, offloads);
}
