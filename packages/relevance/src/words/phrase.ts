/** Words that a query quotes: they stand in a text one after the other. */
export interface Phrase {
  /** Returns where the phrase first stands in a text, from `start` up to, not including, `end`. */
  readonly find: (text: string) => { readonly start: number; readonly end: number } | undefined;
}

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

/** The phrase that stands between two quotes; `undefined` if no word does. */
export function phraseOf(quoted: string): Phrase | undefined {
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
