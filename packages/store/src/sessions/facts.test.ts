import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseFact } from '../facts/normalise-fact.ts';
import { addFact, mergeFacts, removeFact, supersedeFact } from './facts.ts';
import { emptySessionDocument, type SessionDocument } from './session-document.ts';
import { sessionExtras, withExtras } from './session-extras.ts';

const now = 1_708_654_321_500;
const empty = emptySessionDocument('s');
const withFacts = (...facts: string[]): SessionDocument =>
  facts.reduce((document, text) => addFact(document, { text }, now).document, empty);

describe('addFact', () => {
  it('adds at the end and notes source, time and trust', () => {
    const { document, added } = addFact(
      withFacts('Zebra'),
      { text: ' User prefers verbose output ', source: 'user' },
      now,
    );
    expect(added).toBe(true);
    expect(document.facts).toEqual(['Zebra', 'User prefers verbose output']);
    expect(sessionExtras(document).fact_notes[1]).toEqual({
      text: 'User prefers verbose output',
      recorded_at: 1_708_654_321,
      source: 'user',
      trust: 'trusted',
    });
  });

  it('adds nothing where a fact says the same, and gives the same document back', () => {
    const before = withFacts('User prefers verbose output');
    const { document, added, sameAs } = addFact(
      before,
      { text: 'user prefers VERBOSE output!' },
      now + 5,
    );
    expect({ added, sameAs }).toEqual({ added: false, sameAs: 'User prefers verbose output' });
    expect(document).toBe(before);
  });

  it('believes a source no more than it deserves, and only the user can raise a fact', () => {
    const tool = addFact(empty, { text: 'Port is 80', source: 'bash', trust: 'trusted' }, now);
    expect(sessionExtras(tool.document).fact_notes[0]?.trust).toBe('untrusted');
    const assistant = addFact(tool.document, { text: 'port is 80', source: 'assistant' }, now);
    expect(sessionExtras(assistant.document).fact_notes[0]?.trust).toBe('untrusted');
    const user = addFact(tool.document, { text: 'port is 80', source: 'user' }, now);
    expect(sessionExtras(user.document).fact_notes[0]?.trust).toBe('trusted');
  });

  it('keeps a pinned fact word for word beside one that says the same in other letters', () => {
    const { document } = addFact(
      withFacts('never push'),
      { text: 'NEVER push!', pinned: true },
      now,
    );
    expect(document.facts).toEqual(['never push', 'NEVER push!']);
    expect(mergeFacts(document).facts).toEqual(['NEVER push!']);
  });

  it.each(['', '  ', '.!?', '\u0000'])('refuses %j, which says nothing', (text) => {
    expect(() => addFact(empty, { text }, now)).toThrow('a fact needs words');
  });

  it('refuses a fact of more than 4,000 characters', () => {
    expect(() => addFact(empty, { text: 'x'.repeat(4001) }, now)).toThrow('4000 characters');
  });
});

describe('supersedeFact', () => {
  it('leaves with the old fact who said it, and how far it was to be believed', () => {
    const said = addFact(empty, { text: 'Rust 1.74', source: 'user', pinned: true }, now).document;
    const input = { old: 'Rust 1.74', text: 'Rust 1.75', source: 'web_search' };
    const { document } = supersedeFact(said, input, now);
    expect(sessionExtras(document).superseded_facts).toMatchObject([
      { text: 'Rust 1.74', source: 'user', trust: 'trusted', pinned: true },
    ]);
  });

  it('puts the new fact in the place of the old one and keeps the old one readable', () => {
    const before = withFacts('a', 'Rust 1.74', 'c');
    const { document } = supersedeFact(before, { old: 'rust 1.74', text: 'Rust 1.75' }, now + 9000);
    expect(document.facts).toEqual(['a', 'Rust 1.75', 'c']);
    expect(sessionExtras(document).superseded_facts).toMatchObject([
      { text: 'Rust 1.74', superseded_by: 'Rust 1.75', superseded_at: 1_708_654_330 },
    ]);
    expect(sessionExtras(document).fact_notes.map(({ text }) => text)).not.toContain('Rust 1.74');
  });

  it('leaves the fact that is there where the new one says the same', () => {
    const { document } = supersedeFact(withFacts('a', 'b', 'c'), { old: 'a', text: 'C' }, now);
    expect(document.facts).toEqual(['b', 'c']);
  });

  it('throws where nothing says the old one', () => {
    expect(() => supersedeFact(empty, { old: 'x', text: 'y' }, now)).toThrow('no fact');
  });
});

describe('removeFact', () => {
  it('leaves nothing of it, also among what was superseded', () => {
    const { document } = supersedeFact(withFacts('secret plan', 'b'), { old: 'b', text: 'c' }, now);
    const again = supersedeFact(document, { old: 'secret plan', text: 'd' }, now).document;
    const removed = removeFact(again, 'Secret plan.');
    expect(JSON.stringify(removed)).not.toContain('secret plan');
    expect(removed.facts).toEqual(['d', 'c']);
  });

  it('gives the same document back where there is nothing to remove', () => {
    const document = withFacts('a');
    expect(removeFact(document, 'b')).toBe(document);
  });
});

describe('mergeFacts', () => {
  it('keeps the first of those that say the same, in order', () => {
    const document = { ...empty, facts: ['b', 'A.', 'B', 'a', 'c'] };
    expect(mergeFacts(document).facts).toEqual(['b', 'A.', 'c']);
  });

  it('drops no saying and no pinned literal, and a second run changes nothing', () => {
    const facts = fc.array(
      fc.constantFrom<string[]>('a', 'A', 'a.', 'b', 'B!', 'c', '1.5', '15', '?'),
    );
    fc.assert(
      fc.property(facts, facts, (all, pinned) => {
        const notes = pinned
          .filter((text) => all.includes(text) && normaliseFact(text) !== '')
          .map((text) => ({
            text,
            recorded_at: 1,
            source: 'user',
            trust: 'trusted' as const,
            pinned: true,
          }));
        const document = withExtras({ ...empty, facts: all }, { fact_notes: notes });
        const merged = mergeFacts(document);
        const sayings = (list: readonly string[]) =>
          new Set(list.map(normaliseFact).filter(Boolean));
        expect(sayings(merged.facts)).toEqual(sayings(all));
        for (const { text } of notes) expect(merged.facts).toContain(text);
        expect(mergeFacts(merged)).toBe(merged);
        const places = merged.facts.map((fact) => all.indexOf(fact));
        expect(places).toEqual([...places].sort((x, y) => x - y));
      }),
    );
  });
});
