import type { RelevanceQuery } from '../index/relevance-document.ts';
import type { RelevancePolicy } from '../select/relevance-policy.ts';
import { searchWords } from './split-words.ts';

/**
 * How often each word stands in the prompt. Each of the messages before it adds `historyWeight` once for each word that it
 * holds: counting their repeats would let one long answer drown the prompt.
 */
export function queryWords(query: RelevanceQuery, policy: RelevancePolicy): Map<string, number> {
  const options = { maxCharacters: policy.maxCharacters };
  const words = new Map<string, number>();
  const count = (found: Iterable<string>, weight: number): void => {
    for (const word of found) words.set(word, (words.get(word) ?? 0) + weight);
  };
  count(searchWords(query.text, options), 1);
  if (policy.historyWeight === 0 || policy.historyMessages === 0) return words;
  for (const message of (query.history ?? []).slice(-policy.historyMessages)) {
    count(new Set(searchWords(message, options)), policy.historyWeight);
  }
  return words;
}
