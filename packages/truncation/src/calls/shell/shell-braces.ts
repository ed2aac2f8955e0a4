/** Most words that one becomes. */
const maxWords = 12;

/** Matches a word that stands without quotes and has braces; `{a,b}` stands in no braces of its own. */
const braced =
  /[^\s"'`\\$;|&<>(){}]*(?:\{[^\s"'`\\$;|&<>(){}]*\}[^\s"'`\\$;|&<>(){}]*)+(?=[\s;|&<>()]|$)/y;

function optionsOf(piece: string): readonly string[] {
  const isList = piece.startsWith('{') && piece.includes(',');
  return isList ? piece.slice(1, -1).split(',', maxWords) : [piece];
}

/** The word with braces that begins at a place, and the words that a shell makes of it: `src/{a,b}.ts` names two files. */
export function bracedWords(
  text: string,
  at: number,
): { readonly words: readonly string[]; readonly end: number } | undefined {
  braced.lastIndex = at;
  const word = braced.exec(text)?.[0];
  if (word === undefined) return undefined;
  const words = word
    .split(/(\{[^{}]*\})/)
    .reduce(
      (begun, piece) =>
        begun
          .flatMap((start) => optionsOf(piece).map((option) => start + option))
          .slice(0, maxWords),
      [''],
    );
  return { words, end: at + word.length };
}
