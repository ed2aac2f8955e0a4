import type { CollectionDefinition } from '@ctx/store/backend';

/** A collection for tests: one text, one number, an index, a searched field. */
export const papers: CollectionDefinition = {
  name: 'papers',
  key: ['tenant', 'shelf', 'id'],
  columns: { year: { type: 'integer', nullable: true }, author: { type: 'text', nullable: true } },
  indexes: [{ name: 'by_year', fields: ['tenant', 'year'] }],
  search: [{ name: 'title', weight: 1 }],
};
