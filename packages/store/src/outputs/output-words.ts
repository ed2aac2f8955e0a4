import { isCtxError } from '@ctx/core';
import { decodeText, decodeValue, outputText } from '@ctx/core/encoding';
import { searchWords } from '@ctx/relevance';
import type { StoredRecord } from '../backend/store-backend.ts';
import { readBody } from './output-record.ts';

/**
 * The search words of a text: each time where they rank, once behind it.
 * Cost: one pass over the text.
 */
export function wordsOfText(text: string): string[] {
  const words = searchWords(text.slice(0, rankedCharacters));
  if (text.length > rankedCharacters) for (const word of restWords(text, words)) words.push(word);
  return words;
}

/** What full text sees of an output. */
export interface OutputWords {
  readonly args: string;
  readonly body: string;
}

/** So many characters rank an output: more changed nothing in our retrieval bench. Older stores searched no others. */
export const rankedCharacters = 8000;

/** No word that a search finds is longer; so far the rest looks back, lest the word that lies across the border is cut in two. */
const longestWord = 200;

/** Returns the words after the ranked part that are not in `known`, each once. */
function restWords(text: string, known: readonly string[]): string[] {
  const behind = text.slice(rankedCharacters - longestWord);
  const rest = new Set(searchWords(behind, { maxCharacters: behind.length }));
  for (const word of known) rest.delete(word);
  return [...rest];
}

/** The search words of an output: tool and arguments in one field, the result in the other. */
export function outputWords(
  parts: { readonly toolName: string; readonly argsJson: string; readonly resultText: string },
  searchedCharacters: number,
): OutputWords {
  const args = `${parts.toolName} ${parts.argsJson.slice(0, searchedCharacters)}`;
  const result = parts.resultText.slice(0, searchedCharacters);
  return { args: wordsOfText(args).join(' '), body: wordsOfText(result).join(' ') };
}

/**
 * The same out of a record that holds its own result, as a backend keeps it. None for a record that cannot be read: reading it
 * tells.
 */
export function wordsOfOutput(record: StoredRecord): Readonly<Record<string, string>> {
  try {
    const { args = null, result } = readBody(record);
    const parts = {
      toolName: decodeText(String(record.columns['tool_name'])),
      argsJson: JSON.stringify(args),
      resultText: outputText(decodeValue(result)),
    };
    return { ...outputWords(parts, Number(record.columns['searched_characters'])) };
  } catch (error) {
    if (isCtxError(error, 'CTX_STORE_CORRUPT')) return {};
    throw error;
  }
}
