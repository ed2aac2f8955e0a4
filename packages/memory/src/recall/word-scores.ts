import { searchWords } from '@ctx/relevance';

/** How soon a repeated word counts no more, and how far length counts: less than the usual .75, since facts are short (`bench -- recall`). */
const [k1, lengthShare] = [1.2, 0.4];

/** Rare words are weighed as in a store of at least so many facts: the candidates alone all hold a word of the query. Chosen on LoCoMo. */
const leastFacts = 600;

/** Scores texts for a query by BM25, in their order. */
export function wordScores(query: string, texts: readonly string[]): number[] {
  const asked = [...new Set(searchWords(query))];
  const counted = texts.map((text) => {
    const words = searchWords(text);
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { counts, length: words.length };
  });
  const average = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const total = Math.max(leastFacts, texts.length);
  const weights = asked.map((word) => {
    const holding = counted.filter(({ counts }) => counts.has(word)).length;
    return Math.log(1 + (total - holding + 0.5) / (holding + 0.5));
  });
  return counted.map(({ counts, length }) => {
    const norm = k1 * (1 - lengthShare + (lengthShare * length) / Math.max(1, average));
    return asked.reduce((sum, word, at) => {
      const count = counts.get(word) ?? 0;
      return sum + ((weights[at] ?? 0) * count * (k1 + 1)) / (count + norm);
    }, 0);
  });
}
