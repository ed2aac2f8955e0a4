import type { CollectionDefinition, PutOperation } from '@ctx/store/backend';

/** A collection of few big documents and one of many small records with search. */
export const testCollections: readonly CollectionDefinition[] = [
  {
    name: 'sessions',
    key: ['tenant', 'session_id'],
    columns: { number: { type: 'integer' } },
    indexes: [{ name: 'by_number', fields: ['tenant', 'number'] }],
    search: [],
  },
  {
    name: 'outputs',
    key: ['tenant', 'session_id', 'output_id'],
    columns: { number: { type: 'integer' } },
    indexes: [{ name: 'by_number', fields: ['tenant', 'session_id', 'number'] }],
    search: [{ name: 'body', weight: 1 }],
  },
];

/** A put of a session that holds `number` and `size` characters. */
export function sessionPut(id: string, number: number, size = 10): PutOperation {
  const body = JSON.stringify({ session_id: id, number, filler: 'x'.repeat(size) });
  return { type: 'put', collection: 'sessions', key: ['t', id], columns: { number }, body };
}

/** A put of an output whose words are its id. */
export function outputPut(id: string, number: number, size = 10): PutOperation {
  const body = JSON.stringify({ id, number, filler: 'y'.repeat(size) });
  const words = { body: `output ${id}` };
  return {
    type: 'put',
    collection: 'outputs',
    key: ['t', 's', id],
    columns: { number },
    body,
    words,
  };
}
