import { expect, test } from 'vitest';
import { createFileCoverage } from './file-coverage.ts';
import { wholeFile } from './line-range.ts';

test('a copy is covered by a newer one of all its lines, of unknown lines only by the whole file', () => {
  const newer = createFileCoverage();
  newer.add({ path: 'a.ts', lines: { first: 1, last: 40 } });
  newer.add({ path: 'b.ts', lines: 'unknown' });
  newer.add({ path: 'c.ts', lines: wholeFile });
  expect(newer.covers({ path: 'a.ts', lines: { first: 10, last: 40 } })).toBe(true);
  expect(newer.covers({ path: 'a.ts', lines: { first: 10, last: 41 } })).toBe(false);
  expect(newer.covers({ path: 'a.ts', lines: 'unknown' })).toBe(false);
  expect(newer.covers({ path: 'b.ts', lines: { first: 1, last: 1 } })).toBe(false);
  expect(newer.covers({ path: 'c.ts', lines: 'unknown' })).toBe(true);
  expect(newer.covers({ path: 'd.ts', lines: { first: 1, last: 1 } })).toBe(false);
});
