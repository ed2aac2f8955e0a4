import { isCtxError } from '@ctx/core';
import { decodeText, decodeValue, outputText } from '@ctx/core/encoding';
import { searchWords } from '@ctx/relevance';
import type { StoredRecord } from '../backend/store-backend.ts';
import { readBody } from './output-record.ts';

/** What full text sees of an output. */
export interface OutputWords {
  readonly args: string;
  readonly body: string;
}

/** The search words of an output: tool and arguments in one field, the beginning of the result in the other. */
export function outputWords(
  parts: { readonly toolName: string; readonly argsJson: string; readonly resultText: string },
  searchedCharacters: number,
): OutputWords {
  const args = `${parts.toolName} ${parts.argsJson.slice(0, searchedCharacters)}`;
  return {
    args: searchWords(args).join(' '),
    body: searchWords(parts.resultText.slice(0, searchedCharacters)).join(' '),
  };
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
