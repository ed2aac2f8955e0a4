import type { Trust } from '@ctx/core';
import { isRecord } from '@ctx/core/encoding';
import * as z from 'zod';
import { type HistoryEntry, historyEntrySchema, type SessionDocument } from './session-document.ts';

/** What is known about a fact beside its text. Times are seconds since the epoch, as in the whole document. */
export interface FactNote {
  /** The fact as it stands in `facts`, character for character. */
  readonly text: string;
  readonly recorded_at: number;
  /** Who said it: `user`, `developer`, `assistant`, or the name of a tool or file. */
  readonly source: string;
  readonly trust: Trust;
  /** A pinned fact is never dropped, also where another says the same in other words. */
  readonly pinned?: boolean;
}

/** A fact that another one took the place of. */
export interface SupersededFact extends FactNote {
  readonly superseded_at: number;
  readonly superseded_by: string;
}

export interface PlanStep {
  readonly text: string;
  readonly status: string;
}

/** What the agent wants to do, step by step. Times are seconds since the epoch. */
export interface SessionPlan {
  readonly id: string;
  readonly title: string;
  readonly steps: readonly PlanStep[];
  readonly created_at: number;
  readonly updated_at: number;
}

/** What ctx adds to the seed's document, as its member `ctx`. */
export interface SessionExtras {
  readonly fact_notes: readonly FactNote[];
  /** Oldest first. */
  readonly superseded_facts: readonly SupersededFact[];
  /** Messages that a compaction keeps word for word though they left `recent_history`: the first and the current one of the user. */
  readonly pinned_history: readonly HistoryEntry[];
  /** Rules that the user set in messages that left, newest first; code puts them into every summary, word for word. */
  readonly constraints: readonly string[];
  readonly plans: readonly SessionPlan[];
  /** The least trust of all that went into `long_term_summary`. */
  readonly summary_trust: Trust;
}

const trust: z.ZodType<Trust> = z.enum(['trusted', 'derived', 'untrusted']);

const noteShape = {
  text: z.string(),
  recorded_at: z.number(),
  source: z.string(),
  trust,
  pinned: z.boolean().exactOptional(),
};

const plan: z.ZodType<SessionPlan> = z.object({
  id: z.string(),
  title: z.string(),
  steps: z.array(z.object({ text: z.string(), status: z.string() })),
  created_at: z.number(),
  updated_at: z.number(),
});

/** A list of which what does not fit is left out: the document may have been edited by hand. */
function listOf<T>(schema: z.ZodType<T>): (value: unknown) => readonly T[] {
  return (value) => {
    if (!Array.isArray(value)) return [];
    return value.flatMap((one: unknown) => {
      const read = schema.safeParse(one);
      return read.success ? [read.data] : [];
    });
  };
}

const notesIn: (value: unknown) => readonly FactNote[] = listOf(z.object(noteShape));
const supersededIn: (value: unknown) => readonly SupersededFact[] = listOf(
  z.object({ ...noteShape, superseded_at: z.number(), superseded_by: z.string() }),
);
const entriesIn: (value: unknown) => readonly HistoryEntry[] = listOf(historyEntrySchema);
const constraintsIn: (value: unknown) => readonly string[] = listOf(z.string());
const plansIn: (value: unknown) => readonly SessionPlan[] = listOf(plan);

/** It is not known what a summary without a mark was made of. */
function trustOfSummary(marked: unknown, summary: string): Trust {
  return trust.safeParse(marked).data ?? (summary === '' ? 'trusted' : 'untrusted');
}

/**
 * What ctx added to a document.
 * Never throws; members that are missing or of another shape read as empty.
 */
export function sessionExtras({ ctx, long_term_summary }: SessionDocument): SessionExtras {
  const own = isRecord(ctx) ? ctx : {};
  return {
    fact_notes: notesIn(own['fact_notes']),
    superseded_facts: supersededIn(own['superseded_facts']),
    pinned_history: entriesIn(own['pinned_history']),
    constraints: constraintsIn(own['constraints']),
    plans: plansIn(own['plans']),
    summary_trust: trustOfSummary(own['summary_trust'], long_term_summary),
  };
}

/** The members that say nothing are left out, so that a document without additions looks like the seed's. */
function telling(extras: SessionExtras, summary: string): Partial<SessionExtras> {
  const { summary_trust, ...lists } = extras;
  const full = Object.entries(lists).filter(([, value]) => value.length > 0);
  const isMarked = summary_trust !== trustOfSummary(undefined, summary);
  return { ...Object.fromEntries(full), ...(isMarked ? { summary_trust } : {}) };
}

/** The document with some of the additions changed. Unknown members of `ctx` stay. */
export function withExtras(
  document: SessionDocument,
  changes: Partial<SessionExtras>,
): SessionDocument {
  const extras = { ...sessionExtras(document), ...changes };
  const foreign = isRecord(document.ctx) ? { ...document.ctx } : {};
  for (const name of Object.keys(extras)) Reflect.deleteProperty(foreign, name);
  const ctx = { ...foreign, ...telling(extras, document.long_term_summary) };
  const { ctx: _before, ...rest } = document;
  return Object.keys(ctx).length === 0 ? rest : { ...rest, ctx };
}

const order: readonly Trust[] = ['untrusted', 'derived', 'trusted'];

/** The lower of several trusts; `trusted` of none. */
export function leastTrust(trusts: readonly Trust[]): Trust {
  return order.find((one) => trusts.includes(one)) ?? 'trusted';
}

/** The trust that belongs to a source or role, in any letter case. */
export function trustOfSource(source: string): Trust {
  const name = source.trim().toLowerCase();
  if (['user', 'human', 'developer', 'system'].includes(name)) return 'trusted';
  return ['assistant', 'ai', 'model'].includes(name) ? 'derived' : 'untrusted';
}
