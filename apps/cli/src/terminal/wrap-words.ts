/** Breaks words into lines of at most `width` characters; one that is longer stands alone. */
export function wordsInLines(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines.splice(-1, 1, `${last} ${word}`);
    } else lines.push(word);
  }
  return lines;
}

/** Names that a text after them explains, in two columns; on a screen too narrow for that one under the other. */
export function explainedNames(
  entries: readonly (readonly [name: string, text: string])[],
  width: number,
): string[] {
  const nameWidth = Math.max(...entries.map(([name]) => name.length)) + 2;
  const isNarrow = width < 3 * nameWidth;
  return entries.flatMap(([name, text]) => {
    if (isNarrow)
      return [`  ${name}`, ...wordsInLines(text, width - 4).map((line) => `    ${line}`)];
    const [first = '', ...others] = wordsInLines(text, width - nameWidth - 2);
    const indent = ' '.repeat(nameWidth + 2);
    return [`  ${name.padEnd(nameWidth)}${first}`, ...others.map((line) => indent + line)];
  });
}
