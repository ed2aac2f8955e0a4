import { CtxError } from '@ctx/core';
import type { HistoryEntry, Session, SessionCompaction, SessionDocument } from '@ctx/store';
import { type ContextStore, retryOnConflict } from '@ctx/store';
import { checkStore } from '../summary/check-inputs.ts';
import { shapeOf } from './plan-session-compaction.ts';

/** What an undo did. */
export interface UndoSessionReceipt {
  readonly session: Session;
  /** Number of the compaction that was undone. */
  readonly sequence: number;
  /** Entries that are in the history again. */
  readonly restored: number;
}

function refuse({ sessionId, sequence }: SessionCompaction, what: string): CtxError {
  const name = `compaction ${String(sequence)} of session ${sessionId}`;
  return new CtxError('CTX_STORE_CONFLICT', `${name} cannot be undone: ${what}`);
}

/** The history as it was, with what came after it since. */
function restoredHistory(
  history: readonly HistoryEntry[],
  compaction: SessionCompaction,
): readonly HistoryEntry[] {
  const { kept, summarised, offloaded } = compaction;
  const stayed = history.slice(0, kept.entries);
  if (shapeOf(stayed) !== kept.shape) throw refuse(compaction, 'the history was changed since');
  const start = summarised.length;
  const whole = new Map(offloaded.map(({ index, entry }) => [index - start, entry]));
  return [
    ...summarised.map(({ entry }) => entry),
    ...stayed.map((entry, index) => whole.get(index) ?? entry),
    ...history.slice(kept.entries),
  ];
}

/** A list as it was before, with what came after it since; where it was changed otherwise, with what is missing at its end. */
function restoredList<T>(
  now: readonly T[],
  after: readonly T[] | undefined,
  before: readonly T[] | undefined,
): readonly T[] {
  if (before === undefined || after === undefined) return now;
  const text = (one: T): string => JSON.stringify(one);
  const isUnchanged = after.every((one, index) => text(one) === JSON.stringify(now[index]));
  if (isUnchanged) return [...before, ...now.slice(after.length)];
  const present = new Set(now.map(text));
  return [...now, ...before.filter((one) => !present.has(text(one)))];
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The members of what ctx adds that only a compaction writes. */
const compactionMembers = ['pinned_history', 'constraints', 'summary_trust'];

/** What others changed in it since stays; what the compaction wrote is as it was before. */
function mergedExtras(now: unknown, before: unknown): Pick<SessionDocument, 'ctx'> {
  const others = Object.entries(membersOf(now)).filter(
    ([name]) => !compactionMembers.includes(name),
  );
  const old = Object.entries(membersOf(before)).filter(([name]) =>
    compactionMembers.includes(name),
  );
  const members = [...others, ...old];
  return members.length === 0 ? {} : { ctx: Object.fromEntries(members) };
}

/** What ctx added, as it was before unless it was changed since. */
function restoredExtras(
  { ctx }: SessionDocument,
  { before, after }: SessionCompaction,
): Pick<SessionDocument, 'ctx'> {
  const isTouched = 'ctx' in before || 'ctx' in after;
  if (isTouched && JSON.stringify(ctx) !== JSON.stringify(after.ctx)) {
    return mergedExtras(ctx, before.ctx);
  }
  const value = isTouched ? before.ctx : ctx;
  return value === undefined ? {} : { ctx: value };
}

/**
 * The document as it was before a compaction, with all that came since.
 * Pure; exact where nothing but the history grew since.
 * @throws `CTX_STORE_CONFLICT` where the history that was kept, or the summary, was changed otherwise.
 */
export function undoneDocument(
  document: SessionDocument,
  compaction: SessionCompaction,
): SessionDocument {
  const { before, after } = compaction;
  const summary = before.long_term_summary;
  if (summary !== undefined && document.long_term_summary !== after.long_term_summary) {
    throw refuse(compaction, 'the summary was changed since');
  }
  const { ctx: _now, ...rest } = document;
  return {
    ...rest,
    recent_history: restoredHistory(document.recent_history, compaction),
    long_term_summary: summary ?? document.long_term_summary,
    facts: restoredList(document.facts, after.facts, before.facts),
    active_tasks: restoredList(document.active_tasks, after.active_tasks, before.active_tasks),
    ...restoredExtras(document, compaction),
  };
}

function undoneSession(
  session: Session,
  compaction: SessionCompaction,
  now: number,
): Session | { readonly refusal: unknown } {
  try {
    const document = undoneDocument(session.document, compaction);
    return { ...session, document, updatedAt: Math.max(session.updatedAt, now) };
  } catch (refusal) {
    return { refusal };
  }
}

/**
 * Undoes the newest compaction of a session: what it took out is in the document again.
 * Session and record change in one transaction; entries that others add meanwhile stay.
 * @throws `CTX_INVALID_INPUT` without an open store, `CTX_NOT_FOUND` where there is nothing to undo, `CTX_STORE_CONFLICT` where it cannot
 * be undone any more.
 */
export async function undoSessionCompaction(
  store: ContextStore,
  sessionId: string,
): Promise<UndoSessionReceipt> {
  checkStore(store);
  const compaction = await store.compactions.newest(sessionId);
  if (compaction === undefined) {
    throw new CtxError('CTX_NOT_FOUND', `session ${sessionId} has no compaction to undo`);
  }
  const { sequence, summarised } = compaction;
  const session = await retryOnConflict(async () => {
    const present = await store.sessions.get(sessionId);
    const next = present && undoneSession(present, compaction, store.clock());
    // Not thrown here: what cannot be undone is no conflict to wait for.
    if (next === undefined || 'refusal' in next) return next;
    await store.compactions.commitUndo(next, compaction);
    return { ...next, version: next.version + 1 };
  });
  if (session === undefined) {
    throw new CtxError('CTX_NOT_FOUND', `there is no session ${sessionId}`);
  }
  if ('refusal' in session) throw session.refusal;
  return { session, sequence, restored: summarised.length };
}
