/** An output of a tool, and what must still stand in whatever is shown of it. */
export interface Sample {
  readonly name: string;
  readonly text: string;
  /** Texts that stand there word for word: failures, places, rare rows. */
  readonly keys: readonly string[];
}

/** The lines of `count` items. */
export function times(count: number, lineOf: (index: number) => string): string[] {
  return Array.from({ length: count }, (_item, index) => lineOf(index));
}

/** Puts lines in the midst of others. */
export function midst(lines: readonly string[], ...special: readonly string[]): string {
  const half = Math.floor(lines.length / 2);
  return `${[...lines.slice(0, half), ...special, ...lines.slice(half)].join('\n')}\n`;
}

const nouns = ['order', 'invoice', 'user', 'cart', 'parser', 'queue', 'token', 'session', 'price'];
const verbs = ['reads', 'writes', 'refuses', 'keeps', 'sorts', 'merges', 'counts', 'closes'];

/** A short sentence, another one for each index. */
export function sentence(index: number): string {
  const noun = nouns[index % nouns.length] ?? '';
  const verb = verbs[Math.floor(index / nouns.length) % verbs.length] ?? '';
  return `${verb} the ${noun} of case ${String(index)}`;
}
