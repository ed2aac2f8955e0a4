import { checkOperation } from './check/check-operation.ts';
import { collectionNamed, invalidInput } from './check/check-value.ts';
import type { AppendBatch, CollectionDefinition, PutOperation } from './store-backend.ts';

/** Digits of a number in a key: key order is the order of appending up to 10^12 records. */
const appendDigits = 12;

/** The last key part of the record of this number in a place: `000000000001` is the first. */
export function appendedPart(number: number): string {
  return String(number).padStart(appendDigits, '0');
}

/** What an append does, once it is known which number is the newest of the place; 0: there is none. */
export function appendPuts(
  { collection, place, records }: AppendBatch,
  newest: number,
): PutOperation[] {
  return records.map(({ columns, body }, at) => ({
    type: 'put',
    collection,
    key: [...place, appendedPart(newest + 1 + at)],
    columns,
    body,
    expectVersion: 0,
  }));
}

/** Throws `CTX_INVALID_INPUT` unless each batch fits its collection, and no place is named twice. */
export function checkAppends(
  collections: ReadonlyMap<string, CollectionDefinition>,
  batches: readonly AppendBatch[],
): void {
  const places = new Set<string>();
  for (const batch of batches) {
    const definition = collectionNamed(collections, batch.collection);
    if (definition.search.length > 0) {
      throw invalidInput(`${definition.name} is searched, and what is appended has no words`);
    }
    for (const put of appendPuts(batch, 0)) checkOperation(definition, put);
    const place = JSON.stringify([batch.collection, ...batch.place]);
    if (places.has(place)) throw invalidInput('a write appends to each place once');
    places.add(place);
  }
}
