import type { Trust } from '@ctx/core';
import { isRecord } from '@ctx/core/encoding';
import type { HistoryEntry, SessionDocument } from './session-document.ts';

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

const order: readonly Trust[] = ['untrusted', 'derived', 'trusted'];

type Check = (value: unknown) => boolean;

const isTrust = (value: unknown): value is Trust => order.some((one) => one === value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber: Check = Number.isFinite;

/**
 * Reads a list of records and drops those that are malformed: the document may have been edited by hand. Checked without a schema
 * library, which would add 24 KB to every bundle that reads a session.
 */
function listOf<T>(members: Readonly<Record<keyof T, Check>>): (value: unknown) => readonly T[] {
  const checks = Object.entries<Check>(members);
  const isOne = (one: unknown): one is T =>
    isRecord(one) && checks.every(([name, fits]) => fits(one[name]));
  return (value) => (Array.isArray(value) ? value.filter(isOne) : []);
}

const note: Readonly<Record<keyof FactNote, Check>> = {
  text: isText,
  recorded_at: isNumber,
  source: isText,
  trust: isTrust,
  pinned: (value = false) => typeof value === 'boolean',
};

const stepsIn = listOf<PlanStep>({ text: isText, status: isText });
const notesIn = listOf<FactNote>(note);
const supersededIn = listOf<SupersededFact>({
  ...note,
  superseded_at: isNumber,
  superseded_by: isText,
});
const entriesIn = listOf<HistoryEntry>({
  timestamp: isNumber,
  role: isText,
  content: isText,
  token_count: (value = 0) => typeof value === 'number' && value >= 0,
});
const plansIn = listOf<SessionPlan>({
  id: isText,
  title: isText,
  steps: (value) => Array.isArray(value) && stepsIn(value).length === value.length,
  created_at: isNumber,
  updated_at: isNumber,
});

function constraintsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(isText) : [];
}

/** It is not known what a summary without a mark was made of. */
function trustOfSummary(marked: unknown, summary: string): Trust {
  if (isTrust(marked)) return marked;
  return summary === '' ? 'trusted' : 'untrusted';
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

/**
 * The document with some of the additions changed. Unknown members of `ctx` stay; those that say nothing are left out, so that a document
 * without additions looks like the seed's.
 */
export function withExtras(
  document: SessionDocument,
  changes: Partial<SessionExtras>,
): SessionDocument {
  const extras = { ...sessionExtras(document), ...changes };
  const { ctx: before, ...rest } = document;
  const unmarked = trustOfSummary(undefined, rest.long_term_summary);
  const members = Object.entries({ ...(isRecord(before) ? before : {}), ...extras }).filter(
    ([name, value]) =>
      !(name in extras) || (Array.isArray(value) ? value.length > 0 : value !== unmarked),
  );
  return members.length === 0 ? rest : { ...rest, ctx: Object.fromEntries(members) };
}

/** The lower of several trusts; `trusted` of none. */
function least(trusts: readonly Trust[]): Trust {
  return order.find((one) => trusts.includes(one)) ?? 'trusted';
}

/** The trust that belongs to a source or role, in any letter case. */
function ofSource(source: string): Trust {
  if (/^\s*(?:user|human|developer|system)\s*$/i.test(source)) return 'trusted';
  return /^\s*(?:assistant|ai|model)\s*$/i.test(source) ? 'derived' : 'untrusted';
}

export const trusts = { least, ofSource } as const;
