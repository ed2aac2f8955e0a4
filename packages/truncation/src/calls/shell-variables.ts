import type { Pipeline, SimpleCommand } from './shell-commands.ts';

/** The values of variables, as far as a command line tells them: several for the one of a loop. */
export type Variables = Map<string, readonly string[]>;

/** Most words that one word becomes. */
const maxWords = 12;

function expanded(word: string, variables: Variables): readonly string[] {
  let words: readonly string[] = [word];
  for (const [text, name = ''] of word.matchAll(/\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?/g)) {
    const values = variables.get(name);
    if (values === undefined) continue;
    words = words
      .flatMap((each) => values.map((value) => each.replace(text, () => value)))
      .slice(0, maxWords);
  }
  return words;
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

/**
 * Puts the values of variables into a pipeline, as `f=src/a.ts; cat "$f"` and `for f in a.ts b.ts; do cat $f; done` set them, and
 * remembers those that it sets.
 */
export function withVariables(pipeline: Pipeline, variables: Variables): Pipeline {
  return pipeline.map((command) => {
    const words = command.words.flatMap((word) => expanded(word, variables));
    const assigned = command.assigned.flatMap((word) => expanded(word, variables));
    remember({ ...command, words, assigned }, variables);
    return { ...command, words, assigned };
  });
}
