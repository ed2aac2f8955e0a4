import type { Pipeline, SimpleCommand } from './shell-commands.ts';

/** The values of variables, as far as a command line tells them: several for the one of a loop. */
export type Variables = Map<string, readonly string[]>;

/** Most values of a variable, and most runs of a loop. */
const maxWords = 12;

/** Puts in the values of variables that have one. */
function expanded(word: string, variables: Variables): string {
  return word.replace(
    /\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?/g,
    (text, name: string) => variables.get(name)?.[0] ?? text,
  );
}

function remember({ words, assigned }: SimpleCommand, variables: Variables): void {
  for (const assignment of assigned) {
    const end = assignment.indexOf('=');
    const value = assignment.slice(end + 1);
    if (value.includes('$') || value.includes('`')) variables.delete(assignment.slice(0, end));
    else variables.set(assignment.slice(0, end), [value]);
  }
  const [keyword, name = '', isIn, ...values] = words;
  if (keyword === 'for' && isIn === 'in') variables.set(name, values.slice(0, maxWords));
}

/** Puts the values in, once for each value of a loop; what is set goes to `known`. */
function runsWith(pipeline: Pipeline, variables: Variables, known: Variables): Pipeline[] {
  const words = pipeline.flatMap((command) => command.words).join(' ');
  const loop = [...variables].find(
    ([name, values]) => values.length > 1 && new RegExp(`\\$\\{?${name}\\b`).test(words),
  );
  if (loop !== undefined) {
    const [name, values] = loop;
    const runs = values.flatMap((value) =>
      runsWith(pipeline, new Map(variables).set(name, [value]), known),
    );
    return runs.slice(0, maxWords);
  }
  const inOne = (words: readonly string[]): string[] =>
    words.map((word) => expanded(word, variables));
  const run = pipeline.map((command) => {
    const set = { ...command, words: inOne(command.words), assigned: inOne(command.assigned) };
    remember(set, known);
    return set;
  });
  return [run];
}

/**
 * Puts the values of variables into a pipeline, as `f=src/a.ts; cat "$f"` and `for f in a.ts b.ts; do cat $f; done` set them, and
 * remembers those that it sets. Gives a pipeline for each value of a loop.
 */
export function withVariables(pipeline: Pipeline, variables: Variables): readonly Pipeline[] {
  return runsWith(pipeline, variables, variables);
}
