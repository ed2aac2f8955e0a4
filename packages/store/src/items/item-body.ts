import type { StoredRecord } from '../backend/store-backend.ts';
import { wordsOfText } from '../outputs/output-words.ts';

/** The content in an item's body; `undefined` where it holds none or is damaged. */
export function contentOfBody({ body: json }: StoredRecord): string | undefined {
  try {
    const body: unknown = JSON.parse(json);
    if (typeof body !== 'object' || body === null || !('content' in body)) return undefined;
    return typeof body.content === 'string' ? body.content : undefined;
  } catch {
    return undefined;
  }
}

/** What full text sees of an item. */
export function itemWords(content: string): Readonly<Record<string, string>> {
  return { content: wordsOfText(content).words.join(' ') };
}

/** What full text sees of the item in a record; nothing where it is damaged: reading it tells. */
export function wordsOfItem(record: StoredRecord): Readonly<Record<string, string>> {
  return itemWords(contentOfBody(record) ?? '');
}
