/** Most lines that a runner writes before what a command printed. */
const headLines = 8;

/** What differs at each run of the same command: the id of its output, how long it took. */
const ofOneRun = /^(?:Chunk ID|Wall time)\b/;

/** What a result is compared by: its text without the lines of Codex that are different each time, which stand before `Output:`. */
export function comparedText(text: string): string {
  const lines = text.split('\n', headLines);
  const end = lines.findIndex((line) => line === 'Output:' || line === 'Output:\r');
  if (end < 0) return text;
  const head = lines.slice(0, end).filter((line) => !ofOneRun.test(line));
  const rest = text.slice(lines.slice(0, end).reduce((sum, line) => sum + line.length + 1, 0));
  return [...head, rest].join('\n');
}
