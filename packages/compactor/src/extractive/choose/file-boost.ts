import type { Corpus } from '../lines/corpus.ts';

/**
 * What the lines of the file that is spoken of and worked on most are worth more than those of any other, as a share. Source: `npm run
 * bench -- compaction`, November 2026; much the same from 0.5 to 1.
 */
const mostBoost = 0.5;

/**
 * Returns by which factor the lines of a group count: 1 for commands and files that are not named, up to 1.5 for the file whose name is
 * worth most. Looks at each group once.
 */
export function fileBoosts(
  { names, values }: Pick<Corpus, 'names' | 'values'>,
  groups: Iterable<string>,
): ReadonlyMap<string, number> {
  const numbers = new Map(names.map((name, number) => [name, number]));
  const worth = new Map<string, number>();
  for (const group of groups) {
    const isFile = !/\s/.test(group);
    const number = isFile ? numbers.get(group.slice(group.lastIndexOf('/') + 1)) : undefined;
    worth.set(group, number === undefined ? 0 : (values[number] ?? 0));
  }
  let most = Number.MIN_VALUE;
  for (const value of worth.values()) most = Math.max(most, value);
  return new Map(Array.from(worth, ([group, value]) => [group, 1 + mostBoost * (value / most)]));
}
