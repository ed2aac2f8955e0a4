import { expect, test } from 'vitest';
import { isSameIndex, mergeDefinition } from './merge-definition.ts';
import type { CollectionDefinition } from './store-backend.ts';

const before: CollectionDefinition = {
  name: 'papers',
  key: ['tenant', 'id'],
  columns: { year: { type: 'integer' }, title: { type: 'text' } },
  indexes: [{ name: 'by_year', fields: ['tenant', 'year'] }],
  search: [{ name: 'title', weight: 2 }],
};

test('what an older program has stays, and what a newer one wants is added', () => {
  const wanted: CollectionDefinition = {
    ...before,
    columns: { year: { type: 'integer' }, pages: { type: 'integer', nullable: true } },
    indexes: [{ name: 'by_pages', fields: ['tenant', 'pages'] }],
    search: [],
  };
  const merged = mergeDefinition(before, wanted);
  expect(Object.keys(merged.columns)).toEqual(['year', 'title', 'pages']);
  expect(merged.indexes.map(({ name }) => name)).toEqual(['by_year', 'by_pages']);
  expect(merged.search).toEqual(before.search);
  expect(mergeDefinition(merged, before)).toEqual(merged);
});

test('another key or another type of a column is refused', () => {
  expect(() => mergeDefinition(before, { ...before, key: ['tenant', 'name'] })).toThrow('key');
  const columns = { year: { type: 'text' } } as const;
  expect(() => mergeDefinition(before, { ...before, columns })).toThrow('year');
});

test('an index is the same where fields, left-out records and counts are', () => {
  const index = { name: 'by_year', fields: ['tenant', 'year'] };
  expect(isSameIndex(index, { ...index })).toBe(true);
  expect(isSameIndex(index, { ...index, notNull: 'year' })).toBe(false);
  expect(isSameIndex(index, { ...index, fields: ['tenant'] })).toBe(false);
  expect(isSameIndex(undefined, index)).toBe(false);
});
