import type { HistoryCall } from '../history.ts';
import { commandParts } from './command-parts.ts';
import { neededByOutput, reachedByOutput } from './mending-output.ts';
import { onlyReads, outcomeOf } from './outcomes.ts';
import { neededRuns, reachedRuns } from './same-runs.ts';

/** Programs that only say something or change the folder: what fails in a chain is another part. */
const trivial = /^(?:cd|echo|printf|sleep|true|:)\b/;

/** How a shell says that it knows no such program. */
const unknownProgram =
  /(?:command not found: ([\w./+-]{1,100})$|(?:^|: )([\w./+-]{1,100}): (?:command )?not found$)/;

/** A line that says no more than that something went wrong. */
const bareExit = /^(?:Exit code:? -?\d+|Command aborted)$/i;

/** A tool that only looks, by its name. */
const looks = /^(?:grep|glob|ls|list|find|search|view|read|fetch|web)/i;

/** Whether a call only looked at something: that it found nothing stands in nobody's way. */
function onlyLooks({ command, toolName, access }: HistoryCall): boolean {
  if (command !== undefined) return onlyReads(command);
  return access?.access === 'read' || looks.test(toolName);
}

/** The command of a chain that its failure is about: the last that does something. */
function mainPart(command: string): string | undefined {
  const parts = commandParts(command);
  return parts.findLast((part) => !trivial.test(part)) ?? parts.at(-1);
}

function programOf(part: string): string {
  const [word = ''] = part.split(' ');
  return word.slice(word.lastIndexOf('/') + 1);
}

/** The file that an edit is about, by its last two names: a path may be told from the root or from the folder. */
function fileKey(path: string): string {
  return `file ${path.split('/').slice(-2).join('/')}`;
}

function editedKeys({ access, path, patched }: HistoryCall): string[] {
  const paths = patched?.map((file) => file.path) ?? (path === undefined ? [] : [path]);
  return access?.access === 'edit' ? paths.map(fileKey) : [];
}

/** How test runners name a test that failed. */
const failedName = /^(?:--- FAIL:|FAIL(?:ED)?) (\S{6,200})/;

/** The key of the test that an error names; `undefined` where it names none. */
export function failedTest(text: string): string | undefined {
  const name = failedName.exec(text)?.[1];
  return name === undefined ? undefined : `test ${name}`;
}

/**
 * A run of a command without its options, such as the one that names a single test, went over more. Where the host told that the command failed, it is
 * enough that it does not tell so of the next.
 */
function partKeys(part: string, isError: boolean): string[] {
  const wider = part.split(/ (?=-)/)[0] ?? part;
  return [
    `part ${part}`,
    ...(wider === part || !wider.includes(' ') ? [] : [`wider ${wider}`]),
    ...(isError ? [`ran ${part}`] : []),
  ];
}

/** The program that a shell did not know. */
function unknownIn(text: string): string | undefined {
  const [, first, second] = unknownProgram.exec(text) ?? [];
  return first ?? second;
}

/** The names of what has to go well for an error to be over. */
export function neededKeys(call: HistoryCall, text: string, folder = ''): readonly string[] {
  const { command, toolName, result = '' } = call;
  const part = command === undefined ? undefined : mainPart(command);
  const program = unknownIn(text);
  return [
    ...(part === undefined
      ? []
      : [...partKeys(part, call.isError), ...neededRuns(call, part, folder)]),
    ...(program === undefined ? [] : [`program ${programOf(program)}`]),
    ...editedKeys(call),
    ...(/^<tool_use_error>|InputValidationError/.test(result) ? [`tool ${toolName}`] : []),
    ...(onlyLooks(call) || bareExit.test(text) ? ['any'] : []),
    ...neededByOutput(result),
  ];
}

/** A pipe into a search for errors. */
const search = /\|\s{0,9}(?:grep|rg)\b/;
const sought = /error|fail/i;

/** How far behind the name of the program it says what is looked for, characters. */
const soughtWithin = 200;

/** What programs print where nothing was found. */
const nothings = ['', '0', '(no output)'];

/** A run whose output was searched for errors, and none was found. */
function showsNoError({ command = '', result }: HistoryCall): boolean {
  const isEmpty = nothings.includes((result ?? '-').trim().toLowerCase());
  const from = isEmpty ? command.search(search) : -1;
  return from !== -1 && sought.test(command.slice(from, from + soughtWithin));
}

/** The names of what a call shows to have gone well, and so of the errors that are over. */
export function reachedKeys(call: HistoryCall, folder = ''): readonly string[] {
  const outcome = outcomeOf(call);
  if (outcome === 'failed' || call.result === undefined) return [];
  const { command, toolName } = call;
  const parts = command === undefined ? [] : commandParts(command);
  const isShown = outcome === 'ok' || showsNoError(call);
  const isWhole = !/\|/.test(command ?? '|');
  return [
    ...(isShown
      ? parts.flatMap((part) => [`part ${part}`, `wider ${part}`, `program ${programOf(part)}`])
      : []),
    ...(isShown ? reachedRuns(call, parts, folder) : []),
    ...(isWhole ? parts.map((part) => `ran ${part}`) : []),
    ...editedKeys(call),
    ...reachedByOutput(call, parts),
    `tool ${toolName}`,
    'any',
  ];
}
