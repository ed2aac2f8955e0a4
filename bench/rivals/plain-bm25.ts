import { fieldsOf, type Rival } from './rival.ts';

const k1 = 1.2;
const b = 0.75;
const stopWords = new Set(
  'a an and are as at be by for from has have how i in is it its of on or that the this to was we what when where which will with you your'.split(
    ' ',
  ),
);

/** Textbook BM25 over the whole text of a document as one field: camelCase split, short stop list, no stems. */
export const plainBm25: Rival = {
  name: 'plain BM25',
  build: (documents) => {
    const texts = documents.map((document) => {
      const { id, title, args, body } = fieldsOf(document);
      const words = wordsOf(`${title} ${args} ${body}`);
      return { id, counts: countWords(words), length: words.length };
    });
    const average = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
    const matching = new Map<string, number>();
    for (const { counts } of texts) {
      for (const word of counts.keys()) matching.set(word, (matching.get(word) ?? 0) + 1);
    }
    const weightOf = (word: string): number => {
      const count = matching.get(word) ?? 0;
      return Math.log(1 + (texts.length - count + 0.5) / (count + 0.5));
    };
    const scoreOf = (
      words: readonly string[],
      { counts, length }: (typeof texts)[number],
    ): number =>
      words.reduce((sum, word) => {
        const count = counts.get(word) ?? 0;
        const norm = k1 * (1 - b + (b * length) / average);
        return sum + (weightOf(word) * count * (k1 + 1)) / (count + norm);
      }, 0);
    return (text) => {
      const words = wordsOf(text);
      return texts
        .map((document) => ({ id: document.id, score: scoreOf(words, document) }))
        .filter(({ score }) => score > 0)
        .sort((first, second) => second.score - first.score)
        .map(({ id }) => id);
    };
  },
};

function wordsOf(text: string): string[] {
  return text
    .replace(/([\p{Ll}\p{Nd}])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !stopWords.has(word));
}

function countWords(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
