import { CtxError, cutText } from '@ctx/core';
import { defaultAgentId } from '../sessions/default-agent.ts';
import { checkFact, type FactInput, noteOf } from '../sessions/facts.ts';
import type { StoreHost } from '../store-host.ts';
import type { AgentFact } from './agent-fact.ts';
import { factIdOf } from './agent-fact-record.ts';
import { type FactDetail, type FactPeriod, isCurrent } from './fact-detail.ts';

/** Most origins and superseded texts that a fact keeps. */
export const mostKept = 20;

/** Longest quote and longest name of a subject or attribute, characters. */
const [quoteCharacters, nameCharacters] = [1000, 200];

/** What the memory says of a fact that it keeps. */
export interface FactDetailInput extends Omit<FactDetail, 'periods' | 'saidAt'> {
  /** Default: now. */
  readonly saidAt?: number;
  /** From when on it holds. Default: from when it was said, and not before the fact whose place it takes. */
  readonly validFrom?: number;
  /** Until when it held, for a fact that is past. */
  readonly validTo?: number;
}

/** A fact to keep beyond the session. */
export interface RememberInput extends FactInput {
  /** Default {@link defaultAgentId}. */
  readonly agentId?: string;
  /** The session in which it was learned. */
  readonly sessionId?: string;
  /** Text of the fact whose place it takes. That one is no longer found; with `detail` it stays readable as past. */
  readonly supersedes?: string;
  /** What the memory knows of it. */
  readonly detail?: FactDetailInput;
}

function periodOf({ validFrom, validTo, saidAt = 0 }: FactDetailInput, now: number): FactPeriod {
  const from = validFrom ?? saidAt;
  if (validTo !== undefined && validTo < from) {
    throw new CtxError(
      'CTX_INVALID_INPUT',
      `validTo must not be before ${String(from)}, got ${String(validTo)}`,
    );
  }
  if (validTo !== undefined) return { from, to: validTo };
  return validFrom !== undefined && validFrom > now ? { from, isPlanned: true } : { from };
}

function checkTimes({ saidAt, validFrom, validTo, confidence }: FactDetailInput, now: number) {
  for (const [name, time] of Object.entries({ saidAt, validFrom, validTo })) {
    if (time === undefined || Number.isSafeInteger(time)) continue;
    throw new CtxError('CTX_INVALID_INPUT', `${name} must be ms since the epoch, got ${time}`);
  }
  if (validTo !== undefined && validTo > now) {
    throw new CtxError('CTX_INVALID_INPUT', `validTo must be past, got ${String(validTo)}`);
  }
  if (confidence >= 0 && confidence <= 1) return;
  throw new CtxError('CTX_INVALID_INPUT', `confidence must be 0 to 1, got ${String(confidence)}`);
}

function detailOf(host: StoreHost, input: FactDetailInput, now: number): FactDetail {
  checkTimes(input, now);
  const { saidAt = now, validFrom: _from, validTo: _to, ...rest } = input;
  const clean = (text: string, most: number) =>
    cutText(host.redactor.redact(text).value, { maxCharacters: most });
  const { quote, subject, attribute } = rest;
  return {
    ...rest,
    ...(quote === undefined ? {} : { quote: clean(quote, quoteCharacters) }),
    ...(subject === undefined ? {} : { subject: clean(subject, nameCharacters) }),
    ...(attribute === undefined ? {} : { attribute: clean(attribute, nameCharacters) }),
    saidAt,
    periods: [periodOf({ ...input, saidAt }, now)],
  };
}

/**
 * Makes the fact that a caller states.
 * @throws `CTX_INVALID_INPUT`, `CTX_TOO_LARGE`.
 */
export function stateFact(host: StoreHost, input: RememberInput): AgentFact {
  const now = host.clock();
  const { agentId = defaultAgentId, sessionId } = input;
  if (agentId === '') throw new CtxError('CTX_INVALID_INPUT', 'an agent needs a name');
  checkFact(input.text);
  const note = noteOf({ ...input, text: host.redactor.redact(input.text).value }, now);
  const { text, source, trust, pinned = false } = note;
  const sequence = input.detail?.sequence;
  const place = sequence === undefined ? {} : { sequence };
  return {
    ...{ id: factIdOf(text), agentId, text, source, trust, pinned },
    ...{ createdAt: now, updatedAt: now, tokens: host.countTokens(text) },
    origins: sessionId === undefined ? [] : [{ sessionId, at: now, ...place }],
    supersedes: [],
    ...(input.detail === undefined ? {} : { detail: detailOf(host, input.detail, now) }),
  };
}

/** Whether the fact was learned from this message already, or from a later one of its session. */
export function isObserved(known: AgentFact, { origins: [origin] }: AgentFact): boolean {
  if (origin?.sequence === undefined) return false;
  const { sessionId, sequence } = origin;
  return known.origins.some(
    (one) => one.sessionId === sessionId && one.sequence !== undefined && one.sequence >= sequence,
  );
}

/** A fact that holds keeps its beginning; one that is past begins again. */
function mergedDetail(before: AgentFact, stated: AgentFact): FactDetail | undefined {
  if (stated.detail === undefined || before.detail === undefined) {
    return stated.detail ?? before.detail;
  }
  const known = before.detail.periods;
  const periods = isCurrent(before) ? known : [...stated.detail.periods, ...known];
  return { ...before.detail, ...stated.detail, periods };
}

/** The fact as it is after it was stated again. */
export function mergeFact(before: AgentFact | undefined, stated: AgentFact): AgentFact {
  if (before === undefined) return stated;
  const known = before.origins.filter(
    ({ sessionId }) => !stated.origins.some((origin) => origin.sessionId === sessionId),
  );
  const detail = mergedDetail(before, stated);
  return {
    ...before,
    // A pinned fact stays word for word.
    text: stated.pinned && !before.pinned ? stated.text : before.text,
    trust: stated.trust === 'trusted' ? 'trusted' : before.trust,
    pinned: before.pinned || stated.pinned,
    updatedAt: Math.max(before.updatedAt, stated.updatedAt),
    origins: [...stated.origins, ...known].slice(0, mostKept),
    supersedes: [...stated.supersedes, ...before.supersedes].slice(0, mostKept),
    ...(detail === undefined ? {} : { detail }),
  };
}
