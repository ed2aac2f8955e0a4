import type { CollectionDefinition, PutOperation, WriteOperation } from '../store-backend.ts';
import {
  checkColumns,
  checkKey,
  checkNoneMissing,
  collectionNamed,
  invalidInput,
} from './check-value.ts';

function checkExpectedVersion(version: unknown): void {
  const isVersion = typeof version === 'number' && Number.isSafeInteger(version) && version >= 0;
  if (!isVersion) throw invalidInput('expectVersion must be an integer from 0');
}

function checkWords(
  definition: CollectionDefinition,
  words: Readonly<Record<string, unknown>>,
): void {
  for (const [field, text] of Object.entries(words)) {
    if (!definition.search.some((candidate) => candidate.name === field)) {
      throw invalidInput(`${definition.name} has no search field of that name`);
    }
    if (typeof text !== 'string') throw invalidInput(`words of ${definition.name} must be text`);
  }
}

function checkPut(definition: CollectionDefinition, operation: PutOperation): void {
  checkColumns(definition, operation.columns);
  checkNoneMissing(definition, operation.columns);
  const body: unknown = operation.body;
  if (typeof body !== 'string' || body === '') throw invalidInput('a body must be JSON text');
  checkWords(definition, operation.words ?? {});
}

/** Throws `CTX_INVALID_INPUT` unless the operation fits its collection. That a body is JSON is taken on trust. */
export function checkOperation(definition: CollectionDefinition, operation: WriteOperation): void {
  checkKey(definition, operation.key);
  if (operation.expectVersion !== undefined) checkExpectedVersion(operation.expectVersion);
  switch (operation.type) {
    case 'put':
      checkPut(definition, operation);
      return;
    case 'patch':
      checkColumns(definition, operation.columns);
      return;
    case 'check':
      checkExpectedVersion(operation.expectVersion);
      return;
    case 'delete':
      return;
    default:
      throw invalidInput('an operation must be put, patch, delete or check');
  }
}

/**
 * Checks a whole write before any of it is done.
 * Makes one pass over keys and columns; bodies are not read.
 */
export function checkOperations(
  collections: ReadonlyMap<string, CollectionDefinition>,
  operations: readonly WriteOperation[],
): void {
  for (const operation of operations) {
    checkOperation(collectionNamed(collections, operation.collection), operation);
  }
}
