import { isCtxError } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RelevanceDocument } from './relevance-document.ts';
import { createRelevanceIndex, type RelevanceIndex } from './relevance-index.ts';

function indexOf(...documents: readonly RelevanceDocument[]): RelevanceIndex {
  const index = createRelevanceIndex();
  for (const document of documents) index.add(document);
  return index;
}

const idsFor = (index: RelevanceIndex, text: string): string[] =>
  index.score({ text }).map(({ id }) => id);

describe('text part', () => {
  it('is BM25 of the body, worked out by hand, as half of the best', () => {
    // Average length 3, short documents: b is .4. "cache" stands in two of three bodies.
    const index = indexOf(
      { id: 'one', body: 'cache cache miss' },
      { id: 'two', body: 'cache hit' },
      { id: 'three', body: 'disk write error log' },
    );
    const [best, second, third] = index.score({ text: 'cache' });
    const norm = 1 - 0.4 + (0.4 * 2) / 3;
    const ofOne = (2 * 2.6) / (2 + 1.6);
    const ofTwo = ((1 / norm) * 2.6) / (1 / norm + 1.6);
    expect(best).toMatchObject({ id: 'one', parts: { text: 0.5, args: 0 } });
    expect(second?.id).toBe('two');
    expect(second?.parts.text).toBeCloseTo((0.5 * ofTwo) / ofOne, 12);
    expect(third?.parts.text).toBe(0);
  });

  it('adds four times the count of a word in the arguments before it saturates', () => {
    // Both fields have average length; the word stands in every document.
    const index = indexOf(
      { id: 'both', args: 'cache size', body: 'cache miss' },
      { id: 'body', args: 'disk size', body: 'cache miss' },
    );
    const [both, body] = index.score({ text: 'cache' });
    expect(both?.id).toBe('both');
    expect(both?.parts).toMatchObject({ text: 0.5, args: 0.5 });
    const ofBoth = (5 * 2.6) / (5 + 1.6);
    expect(body?.parts.text).toBeCloseTo(0.5 / ofBoth, 12);
    expect(body?.parts.args).toBe(0);
  });

  it('counts a word repeated in the prompt by k3', () => {
    const index = indexOf({ id: 'a', body: 'red' }, { id: 'b', body: 'blue' });
    const [first, second] = index.score({ text: 'red red blue' });
    expect(first?.id).toBe('a');
    // (2 × 9) / (2 + 8) against 1.
    expect(second?.parts.text).toBeCloseTo(0.5 / 1.8, 12);
  });

  it('adds half of what the title is worth', () => {
    const index = indexOf(
      { id: 'a', title: 'refund', body: 'money' },
      { id: 'b', title: 'invoice', body: 'refund' },
    );
    const [first, second] = index.score({ text: 'refund' });
    expect(first).toMatchObject({ id: 'b', parts: { text: 0.5, title: 0 } });
    expect(second).toMatchObject({ id: 'a', parts: { text: 0, title: 0.25 } });
  });

  it('counts each word of the last two messages once, a fifth', () => {
    const index = indexOf(
      { id: 'a', body: 'red' },
      { id: 'b', body: 'blue' },
      { id: 'c', body: 'green' },
    );
    const ranked = index.score({ text: 'red', history: ['green', 'blue blue', 'nothing'] });
    // (.2 × 9) / (.2 + 8).
    expect(ranked.find(({ id }) => id === 'b')?.parts.text).toBeCloseTo((0.5 * 1.8) / 8.2, 12);
    expect(ranked.find(({ id }) => id === 'c')?.parts.text).toBe(0);
  });

  it('takes the scores of a backend in place of its own', () => {
    const index = indexOf({ id: 'a', args: 'red' }, { id: 'b' });
    const ranked = index.score(
      { text: 'red' },
      {
        searchScores: new Map([
          ['a', 2],
          ['b', 8],
        ]),
      },
    );
    expect(ranked.find(({ id }) => id === 'a')?.parts).toMatchObject({ text: 0.125, args: 0.5 });
    expect(ranked.find(({ id }) => id === 'b')?.parts).toMatchObject({ text: 0.5, args: 0 });
  });
});

describe('structure part', () => {
  it('adds 1 for a file named with its folder and 1 for the content of a file', () => {
    const index = indexOf(
      { id: 'edit', path: 'src/theme.ts', access: 'edit', turn: 0 },
      { id: 'read', path: 'src/theme.ts', access: 'read', isFileRead: true, turn: 1 },
    );
    const [best, second] = index.score({ text: 'src/theme.ts' });
    // One edit two turns ago and one read one turn ago: 1 / 4 + .5 / 2.
    const activity = 0.5 * Math.log2(1.5);
    expect(best).toMatchObject({ id: 'read', parts: { named: 1, fileRead: 1, recency: 0 } });
    expect(best?.parts.activity).toBeCloseTo(activity, 12);
    expect(second).toMatchObject({ id: 'edit', parts: { named: 1, fileRead: 0 } });
    expect(second?.parts.activity).toBeCloseTo(activity, 12);
  });

  it('halves activity every ten outputs where there are no turns', () => {
    const index = indexOf({ id: 'edit', path: 'a.ts', access: 'edit', sequence: 0 });
    const activityAt = (sequence: number): number | undefined =>
      index.score({ text: '', sequence })[0]?.parts.activity;
    expect(activityAt(9)).toBe(0.5);
    expect(activityAt(10)).toBeCloseTo(0.5 * Math.log2(1.5), 12);
  });

  it('adds a quarter for the newest output and half of it after twenty more', () => {
    const index = indexOf({ id: 'old', sequence: 0 }, { id: 'new', sequence: 20 });
    expect(index.score({ text: '' }).map(({ id, score }) => [id, score])).toEqual([
      ['new', 0.25],
      ['old', 0.125],
    ]);
  });

  it('adds up: the score is the sum of its parts', () => {
    const index = indexOf(
      {
        id: 'a',
        args: 'src/theme.ts',
        body: 'dark theme',
        path: 'src/theme.ts',
        access: 'read',
        isFileRead: true,
        sequence: 3,
        turn: 0,
      },
      { id: 'b', title: 'theme', body: 'light', sequence: 4 },
    );
    for (const { score, parts } of index.score({ text: 'theme.ts dark theme' })) {
      expect(Object.values(parts).reduce<number>((sum, part) => sum + Number(part), 0)).toBeCloseTo(
        score,
        12,
      );
    }
  });
});

describe('index', () => {
  it('puts the newer of equals first', () => {
    const plain = indexOf({ id: 'first' }, { id: 'second' });
    expect(idsFor(plain, 'x')).toEqual(['second', 'first']);
    const placed = indexOf(
      { id: 'late', sequence: 9_999 },
      { id: 'early', sequence: 9_000 },
      { id: 'none' },
    );
    expect(idsFor(placed, 'x')).toEqual(['late', 'early', 'none']);
  });

  it('replaces a document of the same id', () => {
    const index = indexOf({ id: 'a', body: 'red' }, { id: 'a', body: 'blue' });
    expect(index.size).toBe(1);
    expect(index.score({ text: 'red' })[0]?.parts.text).toBe(0);
    expect(index.score({ text: 'blue' })[0]?.parts.text).toBe(0.5);
  });

  it('leaves out what is not accepted and gives no more than the limit', () => {
    const index = indexOf(
      { id: 'a', body: 'red' },
      { id: 'b', body: 'red' },
      { id: 'c', body: 'red' },
    );
    const ranked = index.score({ text: 'red' }, { accept: (id) => id !== 'c', limit: 1 });
    expect(ranked.map(({ id }) => id)).toEqual(['b']);
  });

  it('lets the oldest leave beyond maxDocuments, and counts them', () => {
    const index = createRelevanceIndex({ maxDocuments: 2 });
    for (const id of ['a', 'b', 'c']) index.add({ id, body: 'red' });
    expect([index.size, index.evicted, index.has('a')]).toEqual([2, 1, false]);
    expect(idsFor(index, 'red')).toEqual(['c', 'b']);
  });

  it('refuses a number of documents that it cannot hold', () => {
    let thrown: unknown;
    try {
      createRelevanceIndex({ maxDocuments: 0 });
    } catch (error) {
      thrown = error;
    }
    expect(isCtxError(thrown, 'CTX_INVALID_INPUT')).toBe(true);
  });

  it('indexes the first 8,000 characters only', () => {
    const index = indexOf({ id: 'a', body: `${'x '.repeat(4_000)}needle` });
    expect(index.score({ text: 'needle' })[0]?.parts.text).toBe(0);
  });

  it('answers as if it had been built from what is left', () => {
    const words = fc.constantFrom('red', 'green', 'blue', 'src/red.ts', 'dark');
    const text = fc.array(words, { maxLength: 6 }).map((parts) => parts.join(' '));
    const step = fc.record({
      id: fc.nat(12).map(String),
      isRemoval: fc.boolean(),
      args: text,
      body: text,
      path: fc.constantFrom('src/red.ts', 'lib/blue.ts'),
      access: fc.constantFrom('read' as const, 'edit' as const),
      turn: fc.nat(3),
      sequence: fc.nat(50),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), text, (steps, query) => {
        const index = createRelevanceIndex();
        const left = new Map<string, RelevanceDocument>();
        for (const { isRemoval, ...document } of steps) {
          left.delete(document.id);
          if (isRemoval) {
            index.remove(document.id);
          } else {
            index.add(document);
            left.set(document.id, document);
          }
        }
        expect(index.score({ text: query })).toEqual(
          indexOf(...left.values()).score({ text: query }),
        );
      }),
    );
  });

  it('gives back the room of removed documents', () => {
    const index = createRelevanceIndex();
    for (let number = 0; number < 600; number++) {
      index.add({
        id: String(number),
        body: `red ${'word '.repeat(number % 7)}`,
        path: `src/${number % 5}.ts`,
        access: 'read',
        sequence: number,
      });
    }
    for (let number = 0; number < 590; number++) expect(index.remove(String(number))).toBe(true);
    const rest = createRelevanceIndex();
    for (let number = 590; number < 600; number++) {
      rest.add({
        id: String(number),
        body: `red ${'word '.repeat(number % 7)}`,
        path: `src/${number % 5}.ts`,
        access: 'read',
        sequence: number,
      });
    }
    expect(index.score({ text: 'word red 3' })).toEqual(rest.score({ text: 'word red 3' }));
    expect(index.remove('0')).toBe(false);
    expect(index.size).toBe(10);
  });
});
