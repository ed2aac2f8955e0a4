import type { RelevanceQuery } from './relevance-document.ts';
import type { RelevancePolicy } from './relevance-policy.ts';
import { searchWords } from './split-words.ts';

/** How often each word stands in the prompt; words of the messages before it count by `historyWeight`. */
export function queryWords(query: RelevanceQuery, policy: RelevancePolicy): Map<string, number> {
  const options = { maxCharacters: policy.maxCharacters };
  const words = new Map<string, number>();
  const count = (text: string, weight: number): void => {
    for (const word of searchWords(text, options)) words.set(word, (words.get(word) ?? 0) + weight);
  };
  count(query.text, 1);
  if (policy.historyWeight === 0 || policy.historyMessages === 0) return words;
  for (const message of (query.history ?? []).slice(-policy.historyMessages)) {
    count(message, policy.historyWeight);
  }
  return words;
}
