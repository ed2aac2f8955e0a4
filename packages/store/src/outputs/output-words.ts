import { searchWords } from '@ctx/relevance';

/** The search words of a text: each time where they rank, once after that. */
export interface TextWords {
  readonly words: readonly string[];
  /** False if the text has more different words than are kept. */
  readonly isWhole: boolean;
}

/** Returns the search words of a text. Makes one pass over it. */
export function wordsOfText(text: string, mostDifferent = mostDifferentWords): TextWords {
  const words = searchWords(text.slice(0, rankedCharacters));
  if (text.length <= rankedCharacters) return { words, isWhole: true };
  const rest = new Set<string>();
  const isWhole = addWords(rest, text, mostDifferent);
  for (const word of words) rest.delete(word);
  for (const word of rest) words.push(word);
  return { words, isWhole };
}

/** What full text sees of an output. */
export interface OutputWords {
  /** By search field. */
  readonly words: { readonly args: string; readonly body: string };
  /** False if a search misses some: of what comes after the characters that are searched, or of too many different ones. */
  readonly isWhole: boolean;
}

/** So many characters rank an output: more changed nothing in our retrieval bench. Older stores searched no others. */
export const rankedCharacters = 8000;

/** No word that a search finds is longer; so far the rest looks back, lest the word that lies across the border is cut in two. */
const longestWord = 200;

/** So many different words of a text are kept: one entry of a database has to hold them. */
const mostDifferentWords = 2_000_000;

/** So many characters are split at once: the list of all words of a long text takes several times its memory. */
const pieceCharacters = 1_000_000;

/** The last white space before `end`, where no word is cut in two; `undefined` if there is none near. */
function spaceBefore(text: string, end: number): number | undefined {
  for (let at = end; at > end - longestWord; at -= 1) if (/\s/.test(text.charAt(at))) return at;
  return undefined;
}

/** Adds the words after the ranked part, until there are too many. Returns whether all were added. */
function addWords(known: Set<string>, text: string, mostDifferent: number): boolean {
  for (let start = rankedCharacters - longestWord; start < text.length; ) {
    const border = start + pieceCharacters;
    const isLast = border >= text.length;
    const end = isLast ? text.length : (spaceBefore(text, border) ?? border);
    const piece = text.slice(start, end);
    for (const word of searchWords(piece, { maxCharacters: piece.length, isOnce: true }))
      known.add(word);
    if (known.size > mostDifferent) return false;
    // Without white space a word may be cut in two: the next piece has the whole of it.
    start = isLast || end < border ? end : end - longestWord;
  }
  return true;
}

/** The search words of an output: tool and arguments in one field, the result in the other. */
export function outputWords(
  parts: { readonly toolName: string; readonly argsJson: string; readonly resultText: string },
  searchedCharacters: number,
): OutputWords {
  const { argsJson, resultText } = parts;
  const args = wordsOfText(`${parts.toolName} ${argsJson.slice(0, searchedCharacters)}`);
  const body = wordsOfText(resultText.slice(0, searchedCharacters));
  const isRead = Math.max(argsJson.length, resultText.length) <= searchedCharacters;
  return {
    words: { args: args.words.join(' '), body: body.words.join(' ') },
    isWhole: isRead && args.isWhole && body.isWhole,
  };
}
