/** The words of a printed command, without its name. */
export function wordsOf(command: string): string[] {
  const words = command.match(/(?:'[^']*'|[^ '])+/g) ?? [];
  return words.slice(1).map((word) => word.replaceAll("'", ''));
}
