import type { SessionCompaction } from '../compactions/compaction-record.ts';
import { removeFact } from '../sessions/facts.ts';
import type { SessionDocument } from '../sessions/session-document.ts';
import { normaliseFact } from './normalise-fact.ts';

/** What stands where something was forgotten. */
export const forgottenText: string = '[forgotten]';

/** Shorter facts are taken out of the lists of facts only: as parts of other texts they may mean anything. */
const leastMention = 6;

/** Finds a text in any letter case. No quantifier in it: the time is linear. */
function mentionOf(text: string): RegExp | undefined {
  if (text.length < leastMention) return undefined;
  return new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi');
}

function eraseIn(value: unknown, mention: RegExp): unknown {
  if (typeof value === 'string') return value.replaceAll(mention, forgottenText);
  if (Array.isArray(value)) {
    const copy = value.map((one: unknown) => eraseIn(one, mention));
    return copy.some((one, at) => one !== value[at]) ? copy : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.entries(value).map(([key, one]) => [key, eraseIn(one, mention)] as const);
  const isChanged = copy.some(([key, one]) => one !== Reflect.get(value, key));
  return isChanged ? Object.fromEntries(copy) : value;
}

/**
 * Takes a text out of plain data, in any letter case, wherever it stands inside of a string.
 * Pure; what does not hold it stays the same object. Makes one pass; nesting takes stack.
 */
export function eraseText<Value>(value: Value, text: string): Value {
  const mention = mentionOf(text.trim());
  // Only strings change, by strings.
  return mention === undefined ? value : (eraseIn(value, mention) as Value);
}

/** Whether a text is long enough to be looked for inside of others. */
export function isMentionable(text: string): boolean {
  return mentionOf(text.trim()) !== undefined;
}

/** Whether plain data holds a text inside of a string, in any letter case. A text too short to be looked for is nowhere. */
export function holdsText(value: unknown, text: string): boolean {
  return eraseText(value, text) !== value;
}

/** The document without a fact: not among its facts, nor word for word in any of its texts. The document itself where it had none. */
export function eraseFact(document: SessionDocument, fact: string): SessionDocument {
  const { session_id, ...texts } = removeFact(document, fact);
  const erased = eraseText(texts, fact);
  const isSame = erased === texts && texts.facts === document.facts && texts.ctx === document.ctx;
  return isSame ? document : { session_id, ...erased };
}

/** The record of a compaction without a fact. The record itself where it had none. */
export function eraseFromCompaction(
  compaction: SessionCompaction,
  fact: string,
): SessionCompaction {
  const said = normaliseFact(fact);
  const isOther = (text: string): boolean => normaliseFact(text) !== said;
  const { sessionId, before, after, factsDropped, ...rest } = compaction;
  const without = (members: SessionCompaction['before']): SessionCompaction['before'] => {
    const facts = members.facts?.filter(isOther);
    return facts === undefined || facts.length === members.facts?.length
      ? members
      : { ...members, facts };
  };
  const dropped = factsDropped.filter(isOther);
  const parts = {
    ...rest,
    before: without(before),
    after: without(after),
    factsDropped: dropped.length === factsDropped.length ? factsDropped : dropped,
  };
  const erased = eraseText(parts, fact);
  const isSame =
    erased === parts &&
    parts.before === before &&
    parts.after === after &&
    parts.factsDropped === factsDropped;
  return isSame ? compaction : { ...erased, sessionId };
}
