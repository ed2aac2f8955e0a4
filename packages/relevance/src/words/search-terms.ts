import { type MatchingLine, type MatchingLineOptions, matchingLine } from './matching-line.ts';
import { type Phrase, phraseOf } from './phrase.ts';
import { searchWords } from './split-words.ts';

/** What a query asks for. */
export interface SearchTerms {
  /** The search words of the whole query, each once; those of the phrases are among them. */
  readonly words: readonly string[];
  readonly phrases: readonly Phrase[];
  /** Returns the line of a text that answers the query best; `undefined` if it holds no word of it. */
  readonly lineIn: (text: string, options?: MatchingLineOptions) => MatchingLine | undefined;
}

/** Most different words of a query that are looked for. */
const mostWords = 256;

const quote = /["“”„]/;

function phrasesIn(query: string): Phrase[] {
  if (!quote.test(query)) return [];
  const parts = query.split(quote);
  const quoted = parts.filter((_, at) => at % 2 === 1 && at < parts.length - 1);
  return quoted.map(phraseOf).filter((phrase) => phrase !== undefined);
}

/**
 * Reads a query: words, and phrases in double quotes. A phrase stands in a text word for word; only case and the white space between the
 * words may differ. A quote that is not closed is no quote.
 */
export function searchTerms(query: string): SearchTerms {
  const words = [...new Set(searchWords(query))].slice(0, mostWords);
  const phrases = phrasesIn(query);
  return {
    words,
    phrases,
    lineIn: (text, options) => matchingLine(text, { words, phrases }, options),
  };
}
