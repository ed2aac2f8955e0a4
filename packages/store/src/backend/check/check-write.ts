import { checkAppends } from '../append-records.ts';
import type { CollectionDefinition, WriteOperation, WriteOptions } from '../store-backend.ts';
import { checkOperations } from './check-operation.ts';
import { checkEmptyRanges, checkPatchRanges } from './check-query.ts';

/** A write to check. */
interface CheckedWrite {
  readonly operations: readonly WriteOperation[];
  readonly options?: WriteOptions | undefined;
}

/**
 * Checks a whole write before any of it is done: operations, ranges and appends.
 * @throws `CTX_INVALID_INPUT` unless all of it fits the collections
 */
export function checkWrite(
  collections: ReadonlyMap<string, CollectionDefinition>,
  { operations, options: { emptyRanges, patchRanges, appends = [] } = {} }: CheckedWrite,
): void {
  checkOperations(collections, operations);
  checkEmptyRanges(collections, emptyRanges);
  checkPatchRanges(collections, patchRanges);
  checkAppends(collections, appends);
}
