import { cutText, cutTextEnd } from '@ctx/core';
import { charactersPerToken } from '@ctx/tokens/approximate';

/** The share of the room that the beginning gets; the end, where errors and totals stand, gets the rest. */
const headShare = 2 / 3;
/** Below this much room there is no place for an end. */
const minWithTail = 120;

/** How long a preview may be; tokens are estimated by {@link charactersPerToken}. */
export type PreviewSize = { readonly maxCharacters: number } | { readonly maxTokens: number };

/**
 * Returns the beginning and the end of `text`, and between them how many characters are left out. A text that fits comes
 * back as it is.
 */
export function previewOf(text: string, size: PreviewSize): string {
  const maxCharacters =
    'maxTokens' in size ? Math.floor(size.maxTokens * charactersPerToken) : size.maxCharacters;
  if (text.length <= maxCharacters) return text;
  const longestMark = markOf(text.length).length;
  if (maxCharacters < minWithTail + longestMark) return cutText(text, { maxCharacters });
  const room = maxCharacters - longestMark;
  const head = cutText(text, { maxCharacters: Math.floor(room * headShare) });
  const tail = cutTextEnd(text, room - head.length);
  return head + markOf(text.length - head.length - tail.length) + tail;
}

function markOf(leftOut: number): string {
  return `\n[… ${String(leftOut)} characters left out …]\n`;
}
