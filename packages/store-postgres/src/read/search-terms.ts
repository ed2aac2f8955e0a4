import { createHash } from 'node:crypto';
import type { CollectionDefinition, RecordKey } from '@ctx/store/backend';

/**
 * The token of a leading part of a key, which stands among the words, so that a search within a tenant or session intersects two
 * lists of one index. It holds a sign that no word holds.
 */
export function scopeToken(parts: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `k:${digest.slice(0, 22)}`;
}

/** Tokens of all leading parts of a key but the whole of it. */
function scopeTokens(key: RecordKey): string[] {
  const most = Math.max(1, key.length - 1);
  return Array.from({ length: most }, (_, at) => scopeToken(key.slice(0, at + 1)));
}

/** What a record is found and ranked by. */
export interface SearchTerms {
  /** Different words and scope tokens, separated by spaces. */
  readonly words: string;
  /** JSON: by word, how often it stands in each field, in the order of the definition's fields; under `''` the fields' lengths. */
  readonly counts: string;
}

/** The words of a field, each as often as it stands there. */
function wordsOfField(words: Readonly<Record<string, string>> | undefined, name: string): string[] {
  const text = words !== undefined && Object.hasOwn(words, name) ? words[name] : undefined;
  return (text ?? '').split(' ').filter((word) => word !== '');
}

/** Counts the words of a record. `undefined` where there are none. */
export function searchTerms(
  { search }: CollectionDefinition,
  key: RecordKey,
  words: Readonly<Record<string, string>> | undefined,
): SearchTerms | undefined {
  const counts = new Map<string, number[]>();
  const lengths: number[] = [];
  for (const [field, { name }] of search.entries()) {
    const found = wordsOfField(words, name);
    lengths.push(found.length);
    for (const word of found) {
      const byField = counts.get(word) ?? search.map(() => 0);
      byField[field] = (byField[field] ?? 0) + 1;
      counts.set(word, byField);
    }
  }
  if (counts.size === 0) return undefined;
  return {
    words: [...scopeTokens(key), ...counts.keys()].join(' '),
    counts: JSON.stringify(Object.fromEntries([['', lengths], ...counts])),
  };
}
