import { quoteName } from '@ctx/store/sql';
import { expect, test } from 'vitest';
import { indexName } from './names.ts';

test('a name is quoted whatever it holds', () => {
  expect(quoteName('plain')).toBe('"plain"');
  expect(quoteName('a"; DROP TABLE x; --')).toBe('"a""; DROP TABLE x; --"');
});

test('long names of indexes stay apart within the 63 bytes that the server keeps', () => {
  const collection = 'c'.repeat(40);
  const first = indexName(collection, `${'i'.repeat(39)}a`);
  const second = indexName(collection, `${'i'.repeat(39)}b`);
  expect(first).toHaveLength(63);
  expect(second).toHaveLength(63);
  expect(first).not.toBe(second);
  expect(indexName('items', 'by_rank')).toBe('items$by_rank');
});
