import type { AgentFact } from './agent-fact.ts';
import { type FactDetail, type FactPeriod, isAhead, isCurrent } from './fact-detail.ts';

/** Most stretches of time that a fact keeps. */
const mostPeriods = 20;

/** A fact that is stated, with what is known of the same text and of others about the same matter. */
export interface Statement {
  readonly stated: AgentFact;
  /** When it is stated, ms since the epoch. */
  readonly now: number;
  /** Whether the caller said from when on it holds; otherwise what is stated last holds, whatever the clock says. */
  readonly isDated: boolean;
  /** Those with the same subject and attribute, or whose place it takes by name, last changed first. */
  readonly rivals: readonly AgentFact[];
}

function withPeriods(fact: AgentFact, periods: readonly FactPeriod[]): AgentFact {
  const { detail } = fact;
  if (detail === undefined) return fact;
  return { ...fact, detail: { ...detail, periods: periods.slice(0, mostPeriods) } };
}

const startOf = ({ detail, createdAt }: AgentFact): number => detail?.periods[0]?.from ?? createdAt;

const sessionOf = ({ origins }: AgentFact): string | undefined => origins[0]?.sessionId;

/** Whether `stated` was said before `rival`: by its place in their session's log, else by the time that the caller gave. */
function isEarlier({ stated, isDated }: Statement, rival: AgentFact): boolean {
  const [place, other] = [stated.detail?.sequence, rival.detail?.sequence];
  const isSameSession = sessionOf(stated) !== undefined && sessionOf(stated) === sessionOf(rival);
  if (isSameSession && place !== undefined && other !== undefined && place !== other) {
    return place < other;
  }
  return isDated && startOf(stated) < startOf(rival);
}

/** What is known of a fact; of one that was only typed, what is assumed. */
export function knownDetail({ detail, createdAt: from }: AgentFact): FactDetail {
  return detail ?? { kind: 'preference', saidAt: from, confidence: 1, periods: [{ from }] };
}

/** Ends the newest stretch of a fact. One that would end before it began is empty. */
function ended(fact: AgentFact, to: number): AgentFact {
  const detail = knownDetail(fact);
  const [{ from } = { from: fact.createdAt }, ...earlier] = detail.periods;
  return withPeriods({ ...fact, detail }, [{ from, to: Math.max(from, to) }, ...earlier]);
}

/** What is written: the stated fact, and those that end with it. */
export interface PlacedFact {
  readonly fact: AgentFact;
  readonly ended: readonly AgentFact[];
}

/**
 * Finds the time in which a stated fact holds, and ends the facts whose place it takes. A fact that was said before the one that
 * holds is kept as past. One that is stated for later ends nothing yet, and what is said before then does not end it.
 */
export function placeInTime(statement: Statement): PlacedFact {
  const { stated, now, rivals } = statement;
  if (isAhead(stated, now)) return { fact: stated, ended: [] };
  const current = rivals.filter((rival) => isCurrent(rival) && !isAhead(rival, now));
  const later = rivals
    .filter((rival) => !isAhead(rival, now) && isEarlier(statement, rival))
    .map(startOf);
  if (later.length > 0) return { fact: ended(stated, Math.min(...later)), ended: [] };
  const [newest, ...earlier] = stated.detail?.periods ?? [];
  const from = Math.max(newest?.from ?? stated.createdAt, ...current.map(startOf));
  return {
    fact: withPeriods(stated, [{ from }, ...earlier]),
    ended: current.map((rival) => ended(rival, from)),
  };
}
