/** How far from both ends of a result an exit code is looked for, characters. */
const reach = 400;

const patterns: readonly RegExp[] = [
  /exit(?:ed)?(?: with)?[ _](?:code|status)["']?[:= ]{0,3}(-?\d{1,5})/i,
  /<returncode>(-?\d{1,5})<\/returncode>/i,
  /return ?code["']?[:= ]{1,3}(-?\d{1,5})/i,
];

/** The exit code that a shell's result names near its beginning or its end, or undefined. */
export function exitCodeOf(result: string): number | undefined {
  const ends = [result.slice(0, reach), result.slice(-reach)];
  for (const end of ends) {
    for (const pattern of patterns) {
      const code = pattern.exec(end)?.[1];
      if (code !== undefined) return Number(code);
    }
  }
  return undefined;
}
