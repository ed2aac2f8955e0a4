import type { CtxErrorCode } from '@ctx/core';
import type {
  CollectionDefinition,
  SearchQuery,
  WriteOperation,
  WriteOptions,
} from '@ctx/store/backend';
import type { SqliteStoreOptions } from '../sqlite-options.ts';

/** What a thread that writes is started with. */
export interface ThreadTask {
  readonly options: SqliteStoreOptions;
  readonly collections: readonly CollectionDefinition[];
}

/** What a thread that writes is told to do. */
export type ThreadCall =
  | {
      readonly call: 'write';
      readonly operations: readonly WriteOperation[];
      readonly options: WriteOptions | undefined;
    }
  | { readonly call: 'search'; readonly query: SearchQuery }
  | { readonly call: 'close' };

/** A call with the number by which its answer names it, from 1. */
export type ThreadOrder = ThreadCall & { readonly id: number };

/** Why a call failed: a `CtxError`, which would lose its code on the way. */
export interface ThreadFailure {
  readonly code: CtxErrorCode;
  readonly message: string;
  /** What the driver said. */
  readonly cause: string;
}

/** What became of a call. The first answer, of number 0, says that the thread has opened the store. */
export interface ThreadAnswer {
  readonly id: number;
  readonly value?: unknown;
  readonly failure?: ThreadFailure;
}
