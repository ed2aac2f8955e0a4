import { CtxError } from '@ctx/core';
import { keyIndex } from '../index-order.ts';
import type { CollectionDefinition, IndexDefinition } from '../store-backend.ts';
import { fieldType } from './check-value.ts';

const collectionName = /^[a-z][a-z_]{0,39}$/;
const fieldName = /^[a-z][a-z0-9_]{0,39}$/;

function invalidDefinition(message: string): CtxError {
  return new CtxError('CTX_INVALID_OPTION', message);
}

function checkNames(names: readonly string[], what: string): void {
  if (names.some((name) => !fieldName.test(name)))
    throw invalidDefinition(`a name of ${what} is not allowed`);
  if (new Set(names).size !== names.length) throw invalidDefinition(`two of ${what} have one name`);
}

/** Whether the field is a column of numbers that is never null. */
function isPlainNumber(definition: CollectionDefinition, field: string): boolean {
  if (!Object.hasOwn(definition.columns, field)) return false;
  const column = definition.columns[field];
  return column !== undefined && column.type !== 'text' && column.nullable !== true;
}

function checkTallyHint(definition: CollectionDefinition, index: IndexDefinition): void {
  if (index.tally === undefined) return;
  const { bucketWidth, sums } = index.tally;
  if (bucketWidth !== undefined && !isPlainNumber(definition, index.fields.at(-1) ?? '')) {
    throw invalidDefinition(`the last field of ${index.name} must be a number that is never null`);
  }
  if (bucketWidth !== undefined && !(Number.isFinite(bucketWidth) && bucketWidth > 0)) {
    throw invalidDefinition(`the bucket width of ${index.name} must be over 0`);
  }
  if (sums.some((field) => fieldType(definition, field) !== 'integer')) {
    throw invalidDefinition(`the sums of ${index.name} must be integers`);
  }
}

function checkNotNull(
  definition: CollectionDefinition,
  { name, fields, notNull }: IndexDefinition,
): void {
  if (notNull === undefined) return;
  const column = Object.hasOwn(definition.columns, notNull)
    ? definition.columns[notNull]
    : undefined;
  if (!fields.includes(notNull) || column?.nullable !== true) {
    throw invalidDefinition(`what is never null in ${name} must be a nullable column of it`);
  }
}

function checkIndex(definition: CollectionDefinition, index: IndexDefinition): void {
  if (index.name === keyIndex) throw invalidDefinition('the index named key is always there');
  if (index.fields[0] !== definition.key[0]) {
    throw invalidDefinition(`${index.name} must begin with the tenant`);
  }
  if (index.fields.some((field) => fieldType(definition, field) === undefined)) {
    throw invalidDefinition(`${index.name} has a field that is not declared`);
  }
  checkNotNull(definition, index);
  checkTallyHint(definition, index);
}

function checkDefinition(definition: CollectionDefinition): void {
  if (!collectionName.test(definition.name))
    throw invalidDefinition('a collection name is not allowed');
  checkNames([...definition.key, ...Object.keys(definition.columns)], 'the key parts and columns');
  checkNames(
    definition.indexes.map((index) => index.name),
    'the indexes',
  );
  checkNames(
    definition.search.map((field) => field.name),
    'the search fields',
  );
  for (const index of definition.indexes) checkIndex(definition, index);
  if (definition.search.some((field) => !(field.weight > 0))) {
    throw invalidDefinition('the weight of a search field must be over 0');
  }
}

/**
 * Checks what `StoreBackend.open` is given.
 * @throws `CTX_INVALID_OPTION`.
 */
export function checkCollections(collections: readonly CollectionDefinition[]): void {
  for (const definition of collections) checkDefinition(definition);
  const names = new Set(collections.map((definition) => definition.name));
  if (names.size !== collections.length) throw invalidDefinition('two collections have one name');
}
