import { CtxError } from '@ctx/core';
import type { StoreSupport, WriteOperation } from '../store-backend.ts';

/**
 * Refuses a write that leaves its words for later, if the backend does not find them, before any of it is done.
 * @throws `CTX_STORE_UNSUPPORTED`
 */
export function checkOffered(
  { name, supports }: { readonly name: string; readonly supports: StoreSupport },
  operations: readonly WriteOperation[],
): void {
  if (supports.laterWords === true) return;
  if (!operations.some((one) => one.type === 'put' && one.wordsLater === true)) return;
  const message = `${name} does not offer laterWords: give the words with each put`;
  throw new CtxError('CTX_STORE_UNSUPPORTED', message);
}
