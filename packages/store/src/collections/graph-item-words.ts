import { decodeJson, fingerprintText } from '@ctx/core/encoding';
import { searchWords } from '@ctx/relevance';
import type { StoredRecord } from '../backend/store-backend.ts';

/** Signs of the word that stands for a member. */
const memberWordLength = 16;

/**
 * The word by which items are found that have such a member; `undefined` for a value that is no text, number, true, false or null.
 * Equal members give equal words.
 */
function graphMemberWord(name: string, value: unknown): string | undefined {
  const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  if (!isPlain) return undefined;
  return fingerprintText(JSON.stringify([name, value])).slice(0, memberWordLength);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The words of the members of an item's value. */
function memberWords(json: string): string[] {
  const body = decodeJson(json);
  if (!isObject(body) || !isObject(body['value'])) return [];
  return Object.entries(body['value']).flatMap(
    ([name, member]) => graphMemberWord(name, member) ?? [],
  );
}

/** The words of the text that a body holds to be searched, by default its value. */
function textWords(json: string): string[] {
  const body: unknown = JSON.parse(json);
  const searched = isObject(body) ? (body['searched'] ?? JSON.stringify(body['value'])) : undefined;
  return typeof searched === 'string' ? searchWords(searched) : [];
}

/** What full text sees of an item of LangGraph; nothing where it is damaged: reading it tells. */
export function wordsOfGraphItem({
  body,
}: Pick<StoredRecord, 'body'>): Readonly<Record<string, string>> {
  try {
    return { text: textWords(body).join(' '), members: memberWords(body).join(' ') };
  } catch {
    return {};
  }
}

/** The words by which items of LangGraph are found: `of` an item, and of one `member` that a filter asks for. */
export const graphItemWords = { of: wordsOfGraphItem, member: graphMemberWord } as const;
