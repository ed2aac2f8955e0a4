/** Longest sentence, characters; longer ones are no sentences. */
const maxSentence = 400;

/** Cuts a text at line ends and after full stops, without list signs. Takes linear time. */
export function sentencesOf(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) =>
      line.split(/(?<!\b(?:e\.g|i\.e|vs|cf|Mrs?|Dr)\.)(?<=[.!?]) (?=[\p{Lu}\d"'`])/u),
    )
    .map((sentence) =>
      sentence
        .trim()
        .replace(/^(?:[-*•>] |#{1,6} |\d{1,3}[.)] )/, '')
        .trim(),
    )
    .filter((sentence) => sentence.length > 3 && sentence.length <= maxSentence);
}
