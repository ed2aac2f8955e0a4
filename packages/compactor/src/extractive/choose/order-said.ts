import { stillHolds } from '../../ledger/ended-rules.ts';
import { isWanted, standingSentences } from './wanted-words.ts';

/** A line that is as long stands in a text if its beginning does: its end may have been cut. */
const enough = 200;

/** The lines of the user that say what is wanted, without those that `told` holds already, word for word. */
export function wantedBeside(lines: readonly string[], told: string): string[] {
  const words = told.replace(/\s+/g, ' ');
  const isTold = (line: string) => words.includes(line.replace(/\s+/g, ' ').slice(0, enough));
  return lines.filter((line) => isWanted(line) && !isTold(line));
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

/** What the user said, in its order: what still holds, and what was said once, or ended with what they said since. */
export function partedWords(
  lines: readonly string[],
  places: ReadonlyMap<string, number>,
): { readonly userWords: readonly string[]; readonly userSaid: readonly string[] } {
  const all = [...places];
  const holds = (line: string): boolean => {
    const place = places.get(line) ?? -1;
    const since = all.flatMap(([later, at]) => (at > place ? [later] : []));
    return standingSentences(line).some((rule) => stillHolds(rule, since));
  };
  const said = inSaidOrder(lines, places);
  const userWords = said.filter(holds);
  const standing = new Set(userWords);
  return { userWords, userSaid: said.filter((line) => !standing.has(line)) };
}
