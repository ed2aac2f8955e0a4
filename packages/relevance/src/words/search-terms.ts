import { searchWords } from './split-words.ts';

/** Words that a query quotes: they stand in a text one after the other. */
export interface Phrase {
  /** Returns where the phrase first stands in a text, from `start` up to, not including, `end`. */
  readonly find: (text: string) => { readonly start: number; readonly end: number } | undefined;
}

/** What a query asks for. */
export interface SearchTerms {
  /** The search words of the whole query, each once; those of the phrases are among them. */
  readonly words: readonly string[];
  readonly phrases: readonly Phrase[];
}

/** Most different words of a query that are looked for. */
const mostWords = 256;

const isSpace = (character: string): boolean => /^\s$/.test(character);
const isWordCharacter = (character: string): boolean => /^[\p{L}\p{N}]$/u.test(character);

/** Where the words end that have to follow at `position`, each after at least one space; `undefined` where they do not follow. */
function endOfRest(text: string, position: number, rest: readonly string[]): number | undefined {
  let end = position;
  for (const word of rest) {
    const gap = end;
    while (end < text.length && isSpace(text.charAt(end))) end += 1;
    if (end === gap || !text.startsWith(word, end)) return undefined;
    end += word.length;
  }
  return end;
}

/** Whether no word is cut in two at this place. */
function isEdge(text: string, at: number): boolean {
  return !isWordCharacter(text.charAt(at - 1)) || !isWordCharacter(text.charAt(at));
}

function phraseOf(quoted: string): Phrase | undefined {
  const [first, ...rest] = quoted.toLowerCase().split(/\s+/).filter(Boolean);
  if (first === undefined) return undefined;
  return {
    find: (given) => {
      const text = given.toLowerCase();
      for (let start = text.indexOf(first); start >= 0; start = text.indexOf(first, start + 1)) {
        const end = endOfRest(text, start + first.length, rest);
        if (end !== undefined && isEdge(text, start) && isEdge(text, end)) return { start, end };
      }
      return undefined;
    },
  };
}

/**
 * Reads a query: words, and phrases in double quotes. A phrase stands in a text word for word; only case and the white space between the
 * words may differ. A quote that is not closed is no quote.
 */
export function searchTerms(query: string): SearchTerms {
  const parts = query.split(/["“”„]/);
  const quoted = parts.filter((_, at) => at % 2 === 1 && at < parts.length - 1);
  return {
    words: [...new Set(searchWords(query))].slice(0, mostWords),
    phrases: quoted.map(phraseOf).filter((phrase) => phrase !== undefined),
  };
}
