import type { TokenCounter } from '@ctx/core';
import { previewOf } from '@ctx/store';

/** How long a text stays for which there is no room, characters. */
const shortCharacters = 240;
/** The share of the budget that shortened texts may take. */
const shortShare = 0.2;

/** A text that is carried on. */
export interface Carried<Entry> {
  readonly entry: Entry;
  /** As it is carried: whole or shortened. */
  readonly text: string;
  readonly isShortened: boolean;
}

/**
 * Keeps what the user said: the newest as they are while they fit, older ones shortened, the oldest of those left out last.
 * The newest text stays whole whatever its size, the oldest stays at least shortened; the order stays.
 * Counts each text once.
 */
export function carryUserTexts<Entry extends { readonly text: string }>(
  entries: readonly Entry[],
  maxTokens: number,
  countTokens: TokenCounter,
): readonly Carried<Entry>[] {
  let room = maxTokens;
  let shortRoom = maxTokens * shortShare;
  const kept: Carried<Entry>[] = [];
  entries.toReversed().forEach((entry, index) => {
    const tokens = countTokens(entry.text);
    if (tokens <= room || index === 0) {
      room -= tokens;
      kept.push({ entry, text: entry.text, isShortened: false });
      return;
    }
    const text = previewOf(entry.text, { maxCharacters: shortCharacters });
    const shortTokens = countTokens(text);
    if (shortTokens > shortRoom && index < entries.length - 1) return;
    shortRoom -= shortTokens;
    kept.push({ entry, text, isShortened: text !== entry.text });
  });
  return kept.reverse();
}
