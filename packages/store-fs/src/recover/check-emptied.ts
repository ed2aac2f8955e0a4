import { CtxError } from '@ctx/core';
import { walkFiles } from '../files/walk-files.ts';
import type { JournalState } from '../journal/journal-state.ts';
import { isNotedAsFilled, type KeyLengths } from '../lock/store-mark.ts';

/**
 * Whoever went on would take a lost store for a new one. Looks at a folder or two.
 * @throws `CTX_STORE_CORRUPT` where the store held records, by its index or else by its mark, and not one of their files is left.
 */
export function checkNotEmptied(
  root: string,
  state: Pick<JournalState, 'index'> | undefined,
  keyLengths: KeyLengths,
): void {
  const isFilled = state === undefined ? isNotedAsFilled(root) : state.index.size() > 0;
  if (!isFilled || walkFiles(root, keyLengths).next().done !== true) return;
  const text = `the store in ${root} is empty, and held records before; it was left as it is`;
  const advice = 'bring its files back from a copy, or delete the whole folder to start over';
  throw new CtxError('CTX_STORE_CORRUPT', `${text}: ${advice}`);
}
