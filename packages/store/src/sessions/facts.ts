import type { Trust } from '@ctx/core';
import { CtxError } from '@ctx/core';
import { normaliseFact } from '../facts/normalise-fact.ts';
import type { SessionDocument } from './session-document.ts';
import { type FactNote, sessionExtras, trusts, withExtras } from './session-extras.ts';

/** Longest fact, characters. */
export const maxFactCharacters = 4000;

/** A fact that is stated outright. */
export interface FactInput {
  readonly text: string;
  /** Who says so: `user`, `developer`, `assistant`, or the name of a tool or file. Default `unknown`. */
  readonly source?: string;
  /** Default: what the source deserves; never more than that. */
  readonly trust?: Trust;
  /** Never dropped, kept character for character. Default false. */
  readonly pinned?: boolean;
}

/** What became of a stated fact. */
export interface FactChange {
  /** The document itself where nothing changed. */
  readonly document: SessionDocument;
  readonly added: boolean;
  /** The fact that said the same already. */
  readonly sameAs?: string;
}

/** @throws `CTX_INVALID_INPUT` for a fact that says nothing, `CTX_TOO_LARGE` for one that is too long. */
export function checkFact(text: string): string {
  const trimmed = text.trim();
  const { length } = trimmed;
  if (length > maxFactCharacters) {
    throw new CtxError(
      'CTX_TOO_LARGE',
      `a fact may have ${String(maxFactCharacters)} characters, got ${String(length)}; save it as an output`,
    );
  }
  if (normaliseFact(trimmed) !== '') return trimmed;
  throw new CtxError('CTX_INVALID_INPUT', 'a fact needs words');
}

/** What is known of a stated fact. */
export function noteOf(
  { text, source = 'unknown', trust, pinned }: FactInput,
  now: number,
): FactNote {
  const deserved = trusts.ofSource(source);
  return {
    text: checkFact(text),
    recorded_at: Math.floor(now / 1000),
    source,
    trust: trusts.least([deserved, trust ?? deserved]),
    ...(pinned === true ? { pinned } : {}),
  };
}

/** One note for two statements of a fact. Only the user's own word makes a doubtful fact a certain one. */
function joined(before: FactNote | undefined, again: FactNote, text: string): FactNote {
  const first = before ?? { ...again, trust: 'untrusted' };
  const trust = again.trust === 'trusted' ? 'trusted' : first.trust;
  const pinned = first.pinned === true || again.pinned === true;
  return { ...first, text, trust, ...(pinned ? { pinned } : {}) };
}

function withNote(document: SessionDocument, note: FactNote): SessionDocument {
  const notes = sessionExtras(document).fact_notes;
  const at = notes.findIndex(({ text }) => text === note.text);
  return withExtras(document, { fact_notes: at === -1 ? [...notes, note] : notes.with(at, note) });
}

function restated(document: SessionDocument, at: number, note: FactNote): FactChange {
  const sameAs = document.facts[at] ?? '';
  const before = sessionExtras(document).fact_notes.find(({ text }) => text === sameAs);
  const next = joined(before, note, sameAs);
  const isNews =
    next.trust !== (before?.trust ?? next.trust) || next.pinned !== (before?.pinned ?? undefined);
  return { document: isNews ? withNote(document, next) : document, added: false, sameAs };
}

/**
 * Adds a fact at the end, unless one says the same already (see `normaliseFact`).
 * Pure; order stays; a pinned fact in other letters than the one that is there is added beside it, so that it stands
 * word for word. Makes one pass over the facts.
 * @throws `CTX_INVALID_INPUT`, `CTX_TOO_LARGE`.
 */
export function addFact(document: SessionDocument, input: FactInput, now: number): FactChange {
  const note = noteOf(input, now);
  const said = normaliseFact(note.text);
  const same = document.facts.flatMap((fact, at) => (normaliseFact(fact) === said ? [at] : []));
  const literal = same.find((at) => document.facts[at] === note.text);
  const at = literal ?? (note.pinned === true ? undefined : same[0]);
  if (at !== undefined) return restated(document, at, note);
  const next = { ...document, facts: [...document.facts, note.text] };
  return { document: withNote(next, note), added: true };
}

/**
 * Puts a fact in the place of one that no longer holds; the old one stays readable among the superseded.
 * Pure.
 * @throws `CTX_NOT_FOUND` where no fact says `old`, and what `addFact` throws.
 */
export function supersedeFact(
  document: SessionDocument,
  { old, ...input }: FactInput & { readonly old: string },
  now: number,
): FactChange {
  const said = normaliseFact(old);
  const at = document.facts.findIndex((fact) => normaliseFact(fact) === said);
  const before = document.facts[at];
  if (before === undefined) throw new CtxError('CTX_NOT_FOUND', 'no fact of the session says that');
  const note = noteOf(input, now);
  if (note.text === before) return { document, added: false, sameAs: before };
  const { fact_notes, superseded_facts } = sessionExtras(document);
  const known = fact_notes.find(({ text }) => text === before) ?? { ...note, source: 'unknown' };
  const others = document.facts.toSpliced(at, 1);
  const added = addFact({ ...document, facts: others }, input, now);
  const facts = added.added ? others.toSpliced(at, 0, note.text) : added.document.facts;
  const gone = {
    ...known,
    text: before,
    superseded_at: Math.floor(now / 1000),
    superseded_by: note.text,
  };
  const notes = sessionExtras(added.document).fact_notes.filter(({ text }) => text !== before);
  const extras = { fact_notes: notes, superseded_facts: [...superseded_facts, gone] };
  return { ...added, document: withExtras({ ...added.document, facts }, extras) };
}

/** Takes a fact out of the document, with all that is known about it. The document itself where nothing says it. */
export function removeFact(document: SessionDocument, fact: string): SessionDocument {
  const said = normaliseFact(fact);
  const isOther = (text: string): boolean => normaliseFact(text) !== said;
  const { fact_notes, superseded_facts } = sessionExtras(document);
  const facts = document.facts.filter(isOther);
  const notes = fact_notes.filter(({ text }) => isOther(text));
  const superseded = superseded_facts.filter(
    ({ text, superseded_by }) => isOther(text) && isOther(superseded_by),
  );
  const isSame =
    facts.length === document.facts.length &&
    notes.length === fact_notes.length &&
    superseded.length === superseded_facts.length;
  if (isSame) return document;
  return withExtras({ ...document, facts }, { fact_notes: notes, superseded_facts: superseded });
}

/**
 * Leaves of the facts that say the same the first one.
 * Pure; keeps order; a pinned fact stays word for word, and for its sake the unpinned ones go; the document itself where
 * there is nothing to drop. Makes one pass.
 */
export function mergeFacts(document: SessionDocument): SessionDocument {
  const { fact_notes } = sessionExtras(document);
  const notes = new Map(fact_notes.map((note) => [note.text, note]));
  const pinned = new Set(fact_notes.filter((note) => note.pinned === true).map(({ text }) => text));
  const pinnedSayings = new Set([...pinned].map(normaliseFact));
  const seen = new Set<string>();
  const facts = document.facts.filter((fact) => {
    const said = normaliseFact(fact);
    if (said === '') return false;
    const name = pinned.has(fact) ? `literal ${fact}` : `said ${said}`;
    if (seen.has(name) || (pinnedSayings.has(said) && !pinned.has(fact))) return false;
    seen.add(name);
    return true;
  });
  if (facts.length === document.facts.length) return document;
  const kept = new Set(facts);
  const next = [...notes.values()].filter(({ text }) => kept.has(text));
  return withExtras({ ...document, facts }, { fact_notes: next });
}
