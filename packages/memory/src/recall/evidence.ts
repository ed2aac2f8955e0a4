import { searchWords } from '@ctx/relevance';

/**
 * The share of a query's words that each text holds, from 0 to 1. Words that few of the texts hold, and those that none holds, count
 * more than those of all.
 */
export function evidenceOf(
  query: string,
  texts: readonly { readonly name: string; readonly text: string }[],
): ReadonlyMap<string, number> {
  const words = [...new Set(searchWords(query))];
  const held = texts.map(({ name, text }) => ({ name, words: new Set(searchWords(text)) }));
  const weights = words.map((word) => {
    const count = held.filter((one) => one.words.has(word)).length;
    return Math.log(1 + (texts.length + 1) / (count + 1));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return new Map(
    held.map((one) => {
      const found = weights.reduce(
        (sum, weight, at) => (one.words.has(words[at] ?? '') ? sum + weight : sum),
        0,
      );
      return [one.name, total === 0 ? 0 : found / total];
    }),
  );
}
