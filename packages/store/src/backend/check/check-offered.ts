import { CtxError } from '@ctx/core';
import type { StoreSupport, WriteOperation, WriteOptions } from '../store-backend.ts';

/** What a write may ask for that not every backend offers, and what to do where it does not. */
const instead = {
  laterWords: 'give the words with each put',
  emptyRanges: 'read the range first, and name the versions that must not have changed',
  patchRanges: 'read the range, and patch record by record',
  appends: 'read the newest number, and put the next with expectVersion 0',
} as const;

type Ability = keyof typeof instead;

function isAsked(
  ability: Ability,
  operations: readonly WriteOperation[],
  options: WriteOptions,
): boolean {
  if (ability !== 'laterWords') return options[ability] !== undefined;
  return operations.some((one) => one.type === 'put' && one.wordsLater === true);
}

/**
 * Refuses a write that asks for what the backend does not offer, before any of it is done.
 * Throws: `CTX_STORE_UNSUPPORTED`, which names the ability and what to do instead. Cost: one pass over the operations.
 */
export function checkOffered(
  { name, supports }: { readonly name: string; readonly supports: StoreSupport },
  operations: readonly WriteOperation[],
  options: WriteOptions = {},
): void {
  for (const ability of ['laterWords', 'emptyRanges', 'patchRanges', 'appends'] as const) {
    if (supports[ability] === true || !isAsked(ability, operations, options)) continue;
    const message = `${name} does not offer ${ability}: ${instead[ability]}`;
    throw new CtxError('CTX_STORE_UNSUPPORTED', message);
  }
}
