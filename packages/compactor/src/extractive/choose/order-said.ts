import { isWanted } from './wanted-words.ts';

/** The lines of the user that say what is wanted, without those that `told` holds already, word for word. */
export function wantedBeside(lines: readonly string[], told: string): string[] {
  const words = told.replace(/\s+/g, ' ');
  return lines.filter((line) => isWanted(line) && !words.includes(line.replace(/\s+/g, ' ')));
}

/**
 * What was said, in the order in which it was said: a correction stands after what it corrects. Lines whose place is not known come first, they are of
 * an earlier summary. A line that another one holds is left out. Takes time quadratic in the lines, of which a summary has few.
 */
export function inSaidOrder(
  lines: readonly string[],
  places: ReadonlyMap<string, number>,
): string[] {
  return lines
    .filter((line) => !lines.some((other) => other !== line && other.includes(line)))
    .map((line) => ({ line, place: places.get(line) ?? -1 }))
    .sort((a, b) => a.place - b.place)
    .map(({ line }) => line);
}
