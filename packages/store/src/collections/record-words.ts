import { isCtxError } from '@ctx/core';
import { decodeText, decodeValue, outputText } from '@ctx/core/encoding';
import type { StoreBackend, StoredRecord } from '../backend/store-backend.ts';
import { wordsOfFact } from '../facts/agent-fact-record.ts';
import { wordsOfItem } from '../items/item-body.ts';
import { readBody } from '../outputs/output-record.ts';
import { outputWords, rankedCharacters } from '../outputs/output-words.ts';
import { wordsOfGraphItem } from './graph-item-words.ts';

/**
 * What finds the words of records that an older ctx put without them, by collection: for backends that have such records still.
 * Looks at columns and body only, and does not throw for a damaged record.
 */
export const storeWords: Readonly<
  Record<string, (record: StoredRecord) => Readonly<Record<string, string>>>
> = { outputs: wordsOfOutput, items: wordsOfItem };

/** The encoded result of an output, also where another output of the session holds it. */
async function resultOf(
  backend: Pick<StoreBackend, 'get'>,
  record: StoredRecord,
): Promise<unknown> {
  const { content_of: owner } = record.columns;
  if (typeof owner !== 'string') return readBody(record).result;
  const [holder] = await backend.get('outputs', [[...record.key.slice(0, 2), owner]]);
  return holder && readBody(holder).result;
}

async function wordsOfWholeOutput(
  backend: Pick<StoreBackend, 'get'>,
  record: StoredRecord,
): Promise<Readonly<Record<string, string>>> {
  const { tool_name: toolName, searched_characters: searched } = record.columns;
  const argsJson = JSON.stringify(readBody(record).args ?? null);
  const resultText = outputText(decodeValue(await resultOf(backend, record)));
  const parts = { toolName: decodeText(String(toolName)), argsJson, resultText };
  const characters = typeof searched === 'number' ? searched : rankedCharacters;
  return outputWords(parts, characters).words;
}

/**
 * The words by which a record of a store is found, by search field; `undefined` for collections that are not searched.
 * Costs a read where another output holds the result.
 * @throws `CTX_STORE_CORRUPT` for a record that cannot be read.
 */
export async function wordsOfRecord(
  backend: Pick<StoreBackend, 'get'>,
  collection: string,
  record: StoredRecord,
): Promise<Readonly<Record<string, string>> | undefined> {
  if (collection === 'items') return wordsOfItem(record);
  if (collection === 'facts') return wordsOfFact(record);
  if (collection === 'graph_items') return wordsOfGraphItem(record);
  return collection === 'outputs' ? wordsOfWholeOutput(backend, record) : undefined;
}

/**
 * Returns the words of a record that holds its own result, as a backend keeps it. None for a record that cannot be read: reading it
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
    return { ...outputWords(parts, Number(record.columns['searched_characters'])).words };
  } catch (error) {
    if (isCtxError(error, 'CTX_STORE_CORRUPT')) return {};
    throw error;
  }
}
