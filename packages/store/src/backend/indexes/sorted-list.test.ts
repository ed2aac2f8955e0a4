import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createSortedList,
  entriesBackwards,
  entriesBetween,
  placeOf,
  type SortedList,
} from './sorted-list.ts';

const numbers = (): SortedList<number> =>
  createSortedList<number>({
    compare: (left, right) => left - right,
    measure: (entry) => [entry, 1],
  });

const contentOf = (list: SortedList<number>): number[] =>
  list.snapshot().flatMap((chunk) => chunk.entries);

describe('createSortedList', () => {
  it('holds what a sorted set holds, whatever is put in and taken out', () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 2000 })), {
      maxLength: 3000,
    });
    fc.assert(
      fc.property(steps, (changes) => {
        const list = numbers();
        const model = new Set<number>();
        for (const [isInsert, entry] of changes) {
          if (isInsert && !model.has(entry)) list.insert(entry);
          if (!isInsert) list.remove(entry);
          if (isInsert) model.add(entry);
          else model.delete(entry);
        }
        expect(contentOf(list)).toEqual([...model].sort((left, right) => left - right));
      }),
      { numRuns: 30 },
    );
  });

  it('keeps the sums of every chunk right through splits and merges', () => {
    const list = numbers();
    for (let at = 0; at < 5000; at++) list.insert((at * 2741) % 5003);
    for (let at = 0; at < 5000; at += 3) list.remove((at * 2741) % 5003);
    for (const { entries, sums } of list.snapshot()) {
      const sum = entries.reduce((total, entry) => total + entry, 0);
      expect(sums).toEqual([sum, entries.length]);
    }
  });

  it('puts an entry in the place of an equal one, with its sums, and nothing where there is none', () => {
    type Sized = readonly [number, number];
    const list = createSortedList<Sized>({
      compare: ([left], [right]) => left - right,
      measure: ([, size]) => [size],
    });
    for (let at = 0; at < 2000; at++) list.insert([at, 1]);
    const before = list.snapshot();
    for (let at = 0; at < 3000; at += 2) list.replace([at, 5]);
    expect(before.flatMap(({ entries }) => entries).every(([, size]) => size === 1)).toBe(true);
    const chunks = list.snapshot();
    const sized = Array.from({ length: 2000 }, (_, at): Sized => [at, at % 2 === 0 ? 5 : 1]);
    expect(chunks.flatMap(({ entries }) => entries)).toEqual(sized);
    for (const { entries, sums } of chunks) {
      expect(sums).toEqual([entries.reduce((total, [, size]) => total + size, 0)]);
    }
  });

  it('compares what is put at its end with one entry, however long it is', () => {
    let compared = 0;
    const list = createSortedList<number>({
      compare: (left, right) => {
        compared++;
        return left - right;
      },
      measure: () => [],
    });
    for (let at = 0; at < 10_000; at++) list.insert(at);
    expect(compared).toBe(9999);
  });

  it('holds the same whether entries come one by one or many at once, with the sums of every chunk', () => {
    const batches = fc.array(
      fc.uniqueArray(fc.integer({ min: 0, max: 5000 }), { maxLength: 700 }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(batches, (all) => {
        const list = numbers();
        const model = new Set<number>();
        for (const batch of all) {
          const coming = batch.filter((entry) => !model.has(entry));
          list.insertAll(coming);
          for (const entry of coming) model.add(entry);
          for (const entry of batch.slice(0, 50)) list.remove(entry);
          for (const entry of batch.slice(0, 50)) model.delete(entry);
        }
        expect(contentOf(list)).toEqual([...model].sort((left, right) => left - right));
        for (const { entries, sums } of list.snapshot()) {
          expect(entries.length).toBeLessThanOrEqual(512);
          expect(sums).toEqual([entries.reduce((sum, entry) => sum + entry, 0), entries.length]);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('copies a chunk once for all entries that come into it at once', () => {
    let measured = 0;
    const list = createSortedList<number>({
      compare: (left, right) => left - right,
      measure: () => {
        measured++;
        return [];
      },
    });
    list.insertAll(Array.from({ length: 10_000 }, (_, at) => (at * 7919) % 10_007));
    expect(measured).toBe(10_000);
    measured = 0;
    list.insertAll(Array.from({ length: 400 }, (_, at) => 20_000 - at));
    expect(measured).toBeLessThanOrEqual(912);
  });

  it('leaves a snapshot as it was', () => {
    const list = numbers();
    for (let at = 0; at < 2000; at++) list.insert(at * 2);
    const before = list.snapshot();
    const content = before.flatMap((chunk) => chunk.entries);
    for (let at = 0; at < 2000; at++) list.insert(at * 2 + 1);
    for (let at = 0; at < 1000; at++) list.remove(at * 2);
    expect(before.flatMap((chunk) => chunk.entries)).toEqual(content);
    expect(contentOf(list)).toHaveLength(3000);
  });

  it('bounds what one insert compares and copies, at 100,000 entries', () => {
    let compared = 0;
    const list = createSortedList<number>({
      compare: (left, right) => {
        compared++;
        return left - right;
      },
      measure: () => [],
    });
    for (let at = 0; at < 100_000; at++) list.insert((at * 48_271) % 2_147_483_647);
    const chunks = list.snapshot();
    expect(compared / 100_000).toBeLessThan(25);
    expect(Math.max(...chunks.map((chunk) => chunk.entries.length))).toBeLessThanOrEqual(512);
    expect(chunks.length).toBeLessThan(800);
  });

  it('takes nothing out that is not there', () => {
    const list = numbers();
    list.remove(1);
    list.insert(2);
    list.remove(1);
    list.remove(3);
    expect(contentOf(list)).toEqual([2]);
  });
});

describe('entriesBetween', () => {
  it('gives the part between two places, forwards and backwards', () => {
    const list = numbers();
    for (let at = 0; at < 3000; at++) list.insert(at);
    const chunks = list.snapshot();
    for (const [from, to] of [
      [0, 3000],
      [0, 0],
      [10, 11],
      [400, 2600],
      [2999, 3000],
      [50, 40],
    ] as const) {
      const start = placeOf(chunks, (entry) => entry < from);
      const end = placeOf(chunks, (entry) => entry < to);
      const expected = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
      expect([...entriesBetween(chunks, start, end)]).toEqual(expected);
      expect([...entriesBackwards(chunks, start, end)]).toEqual(expected.toReversed());
    }
  });
});
