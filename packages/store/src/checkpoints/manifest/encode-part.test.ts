import { expect, it } from 'vitest';
import { listedNames, workingPart } from '../working/working-part.ts';
import { type PartMarks, partEncoder } from './encode-part.ts';
import { decodePart } from './manifest-part.ts';

const start = Date.UTC(2026, 0, 1);
const marks: PartMarks = { tierAt: () => 'warm', archived: false };

/** A part of two items; what is not given is null. */
function partOf(columns: Readonly<Record<string, readonly unknown[]>>) {
  const usual = {
    item_id: ['a', 'b'],
    kind: ['TASK', 'TASK'],
    rank: [2, 1],
    access_count: [0, 3],
    created_at: [start, start + 10],
    last_accessed_at: [start, start + 70],
    pinned: [0, 1],
    fingerprint: ['f', 'g'],
    tokens: [4, 5],
    trust: ['trusted', null],
  };
  const values: Readonly<Record<string, readonly unknown[]>> = { ...usual, ...columns };
  const lists = listedNames.map((name): [string, string] => [
    name,
    JSON.stringify(values[name] ?? [null, null]),
  ]);
  return workingPart({ count: 2, lists: Object.fromEntries(lists), versions: '[1,1]' });
}

it('gives items of stores that knew less the moments and the source that such items have', () => {
  const [first, second] = decodePart(partEncoder()(partOf({}), marks)).items;
  expect(first).toMatchObject({ updatedAt: start, rankedAt: start, source: 'unknown' });
  expect(second).toMatchObject({
    updatedAt: start + 10,
    lastAccessedAt: start + 70,
    rankedAt: start + 70,
    pinned: true,
    trust: 'untrusted',
  });
});

it('takes no list of one member for that of another, though they are the same text', () => {
  const same = ['user', 'user'];
  const part = partOf({ kind: same, source: same, session_id: same, trust: same });
  const encode = partEncoder();
  for (const body of [encode(part, marks), encode(part, marks)]) {
    for (const item of decodePart(body).items) {
      expect(item).toMatchObject({ kind: 'user', source: 'user', sessionId: 'user' });
      expect(item.trust).toBe('untrusted');
    }
  }
});

it('says of a part that leaves that all of it is archived, from the moment on', () => {
  const leaving = { ...marks, archived: true, rankedAt: start + 500 };
  const { items } = decodePart(partEncoder()(partOf({}), leaving));
  expect(items.map(({ archived, rankedAt }) => [archived, rankedAt])).toEqual([
    [true, start + 500],
    [true, start + 500],
  ]);
});
