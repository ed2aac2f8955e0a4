import { startOf } from './compressor.ts';

const words = /[A-Za-z_$][A-Za-z0-9_$]{3,}/g;

/** The lines that hold a word of the work; none if nearly all do, because then the word tells nothing. */
export function findWorkLines(
  lines: readonly string[],
  isWorkWord: (word: string) => boolean,
): number[] {
  const found = lines.flatMap((line, index) =>
    (startOf(line).match(words) ?? []).some(isWorkWord) ? [index] : [],
  );
  return found.length * 2 <= lines.length ? found : [];
}
