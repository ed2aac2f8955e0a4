import { type Pipeline, pipelinesOf, type Shell, type SimpleCommand } from './shell-commands.ts';
import { type Variables, withVariables } from './shell-variables.ts';
import { innerCommand } from './shell-wrappers.ts';

/** What a command line starts at once, with the folder that it runs in where that is known. */
export interface ShellRun {
  readonly pipeline: Pipeline;
  readonly folder: string | undefined;
}

/** Returns the path as it is seen from where the folder is. */
export function inFolder(folder: string | undefined, path: string): string {
  const isWhole = path.startsWith('/') || path.startsWith('~') || /^[A-Za-z]:/.test(path);
  return folder === undefined || isWhole ? path : `${folder}/${path}`;
}

/** Deepest shell in a shell that is looked into. */
const maxDepth = 3;

/** Programs of PowerShell and its older brother that read files. */
const windowsReaders = /(?:^|[\s"'(;|])(?:get-content|gc|type|select-string|findstr)\s/i;

/** Puts a slash for a backslash, which is a part of a path there. */
function plainForm(command: string): string {
  if (!windowsReaders.test(command)) return command;
  return command.replace(/\\(?=[\w.])/g, '/');
}

/** Follows `cd` through the shells of a command line: one in parentheses begins where its outer one is. */
function createPlaces(folder: string | undefined) {
  const places = new Map<Shell, string | undefined>();
  const placeOf = (shell: Shell): string | undefined =>
    places.get(shell) ?? (shell.outer === undefined ? folder : placeOf(shell.outer));
  return ({ words, shell }: SimpleCommand): string | undefined => {
    const [program = '', target = '~'] = words;
    const place = placeOf(shell);
    if (program === 'cd') places.set(shell, inFolder(place, target));
    return place;
  };
}

/**
 * Tells what a command line starts, also in shells inside it, with the values of variables put in. `folder`: where it runs, where
 * that is known. Takes time linear in the command.
 */
export function shellRuns(command: string, folder?: string, depth = 0): readonly ShellRun[] {
  const placeFor = createPlaces(folder);
  const variables: Variables = new Map();
  return pipelinesOf(plainForm(command)).flatMap((given): readonly ShellRun[] => {
    const pipelines = withVariables(given, variables);
    const [first] = pipelines[0] ?? given;
    const place = first === undefined ? folder : placeFor(first);
    return pipelines.flatMap((pipeline) => {
      const inner = innerCommand(pipeline[0]?.words ?? []);
      const isInner = inner !== undefined && depth < maxDepth;
      return isInner ? shellRuns(inner, place, depth + 1) : [{ pipeline, folder: place }];
    });
  });
}
