import type { ContextPointer, TokenCounter } from '@ctx/core';
import type { HistoryEntry } from '@ctx/store';
import { cutToTokens } from './summary/cut-to-tokens.ts';

/** The member of an entry that says where its whole content is. */
const pointerMember = 'offloaded_to';

/** Whether the entry is a stub already. */
export function isOffloaded(entry: HistoryEntry): boolean {
  return typeof Reflect.get(entry, pointerMember) === 'string';
}

/**
 * The stub that stands for an entry: how much it was, where it is read again, and how it begins.
 * The same pointer gives the same stub; time, role and further members stay.
 */
export function stubOf(
  entry: HistoryEntry,
  pointer: ContextPointer,
  {
    previewTokens,
    countTokens,
  }: { readonly previewTokens: number; readonly countTokens: TokenCounter },
): HistoryEntry {
  const uri = `ctx://outputs/${pointer.id}`;
  const sizes = `${String(pointer.tokens)} tokens, ${pointer.lines === 1 ? '1 line' : `${String(pointer.lines)} lines`}`;
  const preview = cutToTokens(entry.content, previewTokens, countTokens);
  const content = `[${sizes}, kept whole at ${uri}; it begins:]\n${preview}`;
  const members = { [pointerMember]: uri };
  return { ...entry, content, token_count: countTokens(content), ...members };
}
