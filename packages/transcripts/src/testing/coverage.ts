import type { TranscriptEvent } from '../transcript.ts';
import { textOf } from './text-source.ts';

/**
 * The text of an input that no event stands for, without the signs that only hold a document together: separators, brackets,
 * blanks, padding and the keys of what is entered. Empty where nothing was lost.
 */
export function lostText(bytes: Uint8Array, events: readonly TranscriptEvent[]): string {
  const left = bytes.slice();
  // A byte order mark, or the start of one, is no text.
  for (const [place, byte] of [0xef, 0xbb, 0xbf].entries()) {
    if (left[place] === byte) left[place] = 0x20;
  }
  for (const { source } of events) left.fill(0x20, source.offset, source.offset + source.length);
  const text = textOf(left).replaceAll(/"(?:[^"\\]|\\.)*"/gsu, ' ');
  return text.replaceAll(/[\s\0,:[\]{}\uFEFF]/gu, '');
}
