import type { Extra } from '@ctx/core';
import type { NoteLoss } from './note-loss.ts';

/** The extra that a format wrote. That of another one is left out; what it holds beside the form of a block is noted. */
export function extraOfFormat(
  format: string,
  extra: Extra | undefined,
  note: NoteLoss,
): Extra | undefined {
  if (extra === undefined || extra.format === format) return extra;
  const from = extra.format ?? 'an unknown format';
  if (extra.fields !== undefined) note(`fields of ${from}`);
  if (extra['before'] !== undefined || extra['after'] !== undefined) note(`parts of ${from}`);
  return undefined;
}
