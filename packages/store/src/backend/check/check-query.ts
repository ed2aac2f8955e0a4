import { fieldsOfIndex } from '../index-order.ts';
import type {
  CollectionDefinition,
  CollectionRange,
  PatchRange,
  ScanQuery,
  SearchQuery,
  TallyQuery,
} from '../store-backend.ts';
import type { FieldRange, ScanPosition } from '../index-order.ts';
import type { ListQuery } from '../record-lists.ts';
import {
  checkColumns,
  checkFieldValue,
  checkKey,
  checkTyped,
  collectionNamed,
  fieldType,
  invalidInput,
} from './check-value.ts';

type IndexQuery = Pick<ScanQuery, 'index' | 'equal' | 'range'>;

function checkLimit(limit: unknown): void {
  const isLimit = typeof limit === 'number' && Number.isSafeInteger(limit) && limit >= 0;
  if (!isLimit) throw invalidInput('limit must be an integer from 0');
}

function checkEqual(
  definition: CollectionDefinition,
  fields: readonly string[],
  equal: readonly unknown[],
): void {
  if (!Array.isArray(equal) || equal.length < 1 || equal.length > fields.length) {
    throw invalidInput(`equal must hold 1 to ${fields.length} values, the tenant first`);
  }
  fields.slice(0, equal.length).forEach((field, at) => {
    checkFieldValue(definition, field, equal[at]);
  });
}

function checkRange(
  definition: CollectionDefinition,
  field: string | undefined,
  range: FieldRange,
): void {
  if (field === undefined) throw invalidInput('no field is left for the range');
  const type = fieldType(definition, field) ?? 'text';
  const bounds: readonly unknown[] = [range.from, range.to];
  for (const bound of bounds) {
    if (bound !== undefined) checkTyped(type, bound, `the range of ${field}`);
  }
}

/** An index may lack the records in which a column of it is null: a query must not count on them. */
function checkNotNull(definition: CollectionDefinition, { index, equal }: IndexQuery): void {
  const { notNull, fields } = definition.indexes.find(({ name }) => name === index) ?? {};
  if (notNull === undefined) return;
  const value = equal[fields?.indexOf(notNull) ?? -1];
  if (value === undefined || value === null) {
    throw invalidInput(`a query of ${index} needs a value of ${notNull}`);
  }
}

function checkIndexQuery(definition: CollectionDefinition, query: IndexQuery): void {
  const fields = fieldsOfIndex(definition, query.index);
  checkEqual(definition, fields, query.equal);
  checkNotNull(definition, query);
  if (query.range !== undefined) {
    checkRange(definition, fields[query.equal.length], query.range);
  }
}

function checkPosition(
  definition: CollectionDefinition,
  index: string,
  position: ScanPosition,
): void {
  const fields = fieldsOfIndex(definition, index);
  if (!Array.isArray(position.values) || position.values.length !== fields.length) {
    throw invalidInput(`a position in ${index} has ${fields.length} values`);
  }
  fields.forEach((field, at) => {
    checkFieldValue(definition, field, position.values[at]);
  });
  checkKey(definition, position.key);
}

/** Throws `CTX_INVALID_INPUT` unless the scan fits the collection. */
export function checkScan(definition: CollectionDefinition, query: ScanQuery): void {
  checkIndexQuery(definition, query);
  if (query.limit !== undefined) checkLimit(query.limit);
  if (query.after !== undefined) checkPosition(definition, query.index, query.after);
  for (const name of query.columns ?? []) {
    if (!Object.hasOwn(definition.columns, name)) {
      throw invalidInput(`${definition.name} has no column of that name to read`);
    }
  }
}

/** Throws `CTX_INVALID_INPUT` unless the ranges of `WriteOptions.emptyRanges` fit their collections. */
export function checkEmptyRanges(
  collections: ReadonlyMap<string, CollectionDefinition>,
  ranges: readonly CollectionRange[] = [],
): void {
  for (const range of ranges)
    checkIndexQuery(collectionNamed(collections, range.collection), range);
}

/** Throws `CTX_INVALID_INPUT` unless the ranges of `WriteOptions.patchRanges` and their columns fit their collections. */
export function checkPatchRanges(
  collections: ReadonlyMap<string, CollectionDefinition>,
  ranges: readonly PatchRange[] = [],
): void {
  for (const range of ranges) {
    const definition = collectionNamed(collections, range.collection);
    checkIndexQuery(definition, range);
    checkColumns(definition, range.columns);
    if (range.expectCount !== undefined) checkLimit(range.expectCount);
  }
}

/** Throws `CTX_INVALID_INPUT` unless the lists fit the collection. */
export function checkLists(definition: CollectionDefinition, query: ListQuery): void {
  checkIndexQuery(definition, query);
  if (!Number.isSafeInteger(query.size) || query.size < 1) {
    throw invalidInput('size must be an integer from 1');
  }
  for (const name of query.names) {
    if (fieldType(definition, name) === undefined) {
      throw invalidInput(`${definition.name} has no field of that name to list`);
    }
  }
}

/** Throws `CTX_INVALID_INPUT` unless the tally fits the collection. */
export function checkTally(definition: CollectionDefinition, query: TallyQuery): void {
  checkIndexQuery(definition, query);
  for (const field of query.groupBy ?? []) {
    if (fieldType(definition, field) === undefined) {
      throw invalidInput(`${definition.name} has no field of that name to group by`);
    }
  }
  for (const field of query.sums ?? []) {
    const type = fieldType(definition, field);
    if (type !== 'integer' && type !== 'real') {
      throw invalidInput(`${definition.name} has no number of that name to add up`);
    }
  }
}

/** Throws `CTX_INVALID_INPUT` unless the search fits the collection. What the words hold is not its concern. */
export function checkSearch(definition: CollectionDefinition, query: SearchQuery): void {
  checkEqual(definition, definition.key, query.equal);
  checkLimit(query.limit);
  const words: readonly unknown[] = query.words;
  if (words.some((word) => typeof word !== 'string')) throw invalidInput('words must be text');
  const every: unknown = query.every;
  if (every !== undefined && typeof every !== 'boolean') {
    throw invalidInput('every must be true or false');
  }
}

/**
 * The words of a search that can match at all: each once, lower case, of letters and digits. The rest matches nothing; where every word
 * must match, one of those leaves none.
 */
export function searchableWords({
  words,
  every = false,
}: Pick<SearchQuery, 'words' | 'every'>): string[] {
  const isWord = (word: string): boolean =>
    /^[a-z0-9]+$/.test(word) || (/^[\p{L}\p{N}]+$/u.test(word) && word === word.toLowerCase());
  const different = [...new Set(words)];
  const searchable = different.filter(isWord);
  return every && searchable.length < different.length ? [] : searchable;
}
