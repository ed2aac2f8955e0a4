import { expect, test } from 'vitest';
import { rankCandidates, rareWords } from './search-records.ts';

const candidate = (id: string, counts: readonly number[], length = 10) => ({
  ...{ key: ['t', id], counts, length },
});
const ids = (candidates: ReturnType<typeof candidate>[], records = 100, limit = 10): unknown[] =>
  rankCandidates({ candidates, records }, limit).map(({ key }) => key[1]);

test('a rare word counts more than a common one', () => {
  const common = Array.from({ length: 20 }, (_, at) => candidate(`c${at + 10}`, [1, 0]));
  expect(ids([...common, candidate('rare', [0, 1])])[0]).toBe('rare');
});

test('more of a word, a heavier field and less length rank higher', () => {
  expect(ids([candidate('once', [1]), candidate('thrice', [3])])).toEqual(['thrice', 'once']);
  expect(ids([candidate('long', [1], 90), candidate('short', [1], 5)])).toEqual(['short', 'long']);
});

test('ties come in the order of the keys, and no more than are asked for', () => {
  expect(ids([candidate('b', [1]), candidate('a', [1]), candidate('c', [1])], 9, 2)).toEqual([
    ...['a', 'b'],
  ]);
});

test('scores are finite where all records hold the word', () => {
  const hits = rankCandidates({ candidates: [candidate('a', [1], 0)], records: 0 }, 1);
  expect(hits.every(({ score }) => Number.isFinite(score) && score > 0)).toBe(true);
});

test('the rarest words are those that few enough records hold together', () => {
  expect(rareWords(['a', 'b', 'c'], [90, 3, 10], 20)).toEqual(['b', 'c']);
  expect(rareWords(['a', 'b'], [90, 30], 20)).toEqual([]);
});
