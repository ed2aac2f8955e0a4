import { CtxError, type Trust } from '@ctx/core';
import type { FactKind } from '@ctx/store';
import type { FactStatement, Memory } from '../memory.ts';

function shown(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return value === null ? 'null' : typeof value;
}

function invalid(what: string, rule: string, value: unknown): CtxError {
  return new CtxError('CTX_INVALID_INPUT', `${what} must be ${rule}, got ${shown(value)}`);
}

function checkText(what: string, value: unknown): void {
  if (typeof value !== 'string') throw invalid(what, 'text', value);
}

/** A record; `undefined` where it may be left out. */
function checkRecord(what: string, value: unknown, isNeeded = false): void {
  if (value === undefined && !isNeeded) return;
  if (typeof value !== 'object' || value === null) throw invalid(what, 'an object', value);
}

/** `from` up; no NaN, which every comparison would let through. */
function checkNumber(what: string, value: unknown, from = 0): void {
  if (value === undefined || (typeof value === 'number' && value >= from)) return;
  throw invalid(what, from === 0 ? 'a number from 0' : 'a number', value);
}

/** One of some words, where it is not left out. */
function checkChoice(what: string, value: unknown, choices: readonly string[]): void {
  if (value === undefined || choices.some((choice) => choice === value)) return;
  throw invalid(what, choices.join(', '), value);
}

/** The kinds and the trust of `@ctx/store`; written out, or anything else would be kept as it is, and trusted. */
const kinds: readonly FactKind[] = [
  ...(['preference', 'constraint', 'identity', 'decision', 'event', 'environment'] as const),
];
const trusts: readonly Trust[] = ['trusted', 'derived', 'untrusted'];

function checkFact(fact: FactStatement): void {
  checkRecord('fact', fact, true);
  checkText('text', fact.text);
  const { subject, attribute, source, sessionId, supersedes } = fact;
  for (const [name, value] of Object.entries({ subject, attribute, source, sessionId, supersedes }))
    if (value !== undefined) checkText(name, value);
  checkChoice('kind', fact.kind, kinds);
  checkChoice('trust', fact.trust, trusts);
}

function checkRecall([query, request]: Parameters<Memory['recall']>): void {
  checkText('query', query);
  checkRecord('options', request);
  const { asOf, limit, budgetTokens, threshold } = request ?? {};
  checkNumber('asOf', asOf, -Infinity);
  checkNumber('limit', limit);
  checkNumber('budgetTokens', budgetTokens);
  checkNumber('threshold', threshold);
}

function checkObserve([messages, place]: Parameters<Memory['observe']>): void {
  if (!Array.isArray(messages)) throw invalid('messages', 'an array', messages);
  checkRecord('place', place, true);
  checkText('sessionId', place.sessionId);
  checkNumber('from', place.from);
  const { saidAt } = place;
  if (!Array.isArray(saidAt)) checkNumber('saidAt', saidAt, -Infinity);
  if (!Array.isArray(saidAt) || saidAt.length === messages.length) return;
  throw invalid('saidAt', `a time, or ${String(messages.length)} of them`, saidAt.length);
}

/** What each call is given is checked before anything is read, for callers without types. */
const checks: {
  readonly [Name in keyof Memory]?: (given: Parameters<Memory[Name]>) => void;
} = {
  observe: checkObserve,
  recall: checkRecall,
  add: ([fact]) => {
    checkFact(fact);
  },
  list: ([request]) => {
    checkRecord('request', request);
  },
  get: ([fact]) => {
    checkText('fact', fact);
  },
  history: ([fact]) => {
    checkText('fact', fact);
  },
  correct: ([fact, correction]) => {
    checkText('fact', fact);
    checkRecord('correction', correction, true);
    checkFact(correction);
  },
  forget: ([fact]) => {
    checkText('fact', fact);
  },
  block: ([options]) => {
    checkRecord('options', options);
    checkNumber('maxTokens', options?.maxTokens);
  },
  reembed: ([options]) => {
    checkRecord('options', options);
  },
};

/** The memory whose calls reject with `CTX_INVALID_INPUT` what is no input. */
export function checkedMemory(memory: Memory): Memory {
  const checked = Object.entries(memory).map(([name, call]: [string, unknown]) => [
    name,
    async (...given: unknown[]): Promise<unknown> => {
      // Both have the type of the call of that name.
      (checks[name as keyof Memory] as ((given: unknown[]) => void) | undefined)?.(given);
      return (await Reflect.apply(call as () => unknown, memory, given)) as unknown;
    },
  ]);
  // Each call stands for the one of its name.
  return Object.fromEntries(checked) as Memory;
}
