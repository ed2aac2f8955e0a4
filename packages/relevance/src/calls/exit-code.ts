/** An exit code is looked for within this many characters of either end of a result. */
export const reach = 400;

const patterns: readonly RegExp[] = [
  /exit(?:ed)?(?: with)?[ _](?:code|status)["']?[:= ]{0,3}(-?\d{1,5})/i,
  /<(?:returncode|exit_code)>(-?\d{1,5})<\/(?:returncode|exit_code)>/i,
  /return ?code["']?[:= ]{1,3}(-?\d{1,5})/i,
];

const time = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

/** Whether a line is one of a log, with its time: the exit code in it is that of the program that the log is about. */
function isTimed(line: string): boolean {
  const at = line.search(time);
  return at >= 0 && at <= 60 && !line.slice(0, at).includes('{');
}

function withoutTimedLines(text: string): string {
  return text
    .split('\n')
    .filter((line) => !isTimed(line))
    .join('\n');
}

/** The exit code that a shell's result names near its beginning or its end, or undefined. */
export function exitCodeOf(result: string): number | undefined {
  const ends = [result.slice(0, reach), result.slice(-reach)].map(withoutTimedLines);
  for (const end of ends) {
    for (const pattern of patterns) {
      const code = pattern.exec(end)?.[1];
      if (code !== undefined) return Number(code);
    }
  }
  return undefined;
}
