import type { HistoryCall } from '../history.ts';
import { chainOf, isSilent } from './chains.ts';
import { quoted } from './command-parts.ts';
import { type Signs, table } from './outcome-signs.ts';

/** How a command ended, as far as its output shows it. */
export type Outcome = 'ok' | 'failed' | 'unknown';

/** Programs that run others: their output may match any of the patterns below. */
const runners =
  /^(?:npm|npx|pnpm|pnpx|yarn|bun|bunx|make|gmake|just|task|turbo|nx|gradle|gradlew|mvn|bazel|tox|nox|poetry|uv|mise|docker|sh|bash|zsh|env|time|timeout|xargs|ssh)$/;

/** Programs that print what they read: a word of failure in it says nothing of them. */
const readers =
  /^(?:cat|head|tail|sed|awk|nl|less|more|bat|grep|rg|ag|ack|find|ls|tree|wc|jq|yq|echo|printf|diff|strings|xxd|od|sort|uniq|cut|tr|type|which)$/;

/** How a line ends when a program could not run or read. */
const reasons =
  '(?:command not found|not found|No such file or directory|Permission denied|Not a directory|Is a directory)';

/** What a shell says, with the number of its line or without. */
const shellComplaint = new RegExp(
  `^(?:[\\w./-]{0,60}sh|env|sudo|xargs|exec)(?:: (?:line )?\\d{1,9})?: .{1,300}: ${reasons}$|^[\\w./-]{0,60}sh: command not found: `,
);

/** What a program says of a file, by its name. */
const fileComplaint = new RegExp(`^([\\w.+-]{1,60}): .{1,300}: ${reasons}$`);

/** What stands alone when the system, or the host, ended a command. */
const ended =
  /^(?:Killed(?:: 9)?|(?:Aborted|Segmentation fault(?:: 11)?)(?: \(core dumped\))?)$|^Command timed out/;

/** Programs that end with an exit code above 0 when they find nothing, or a difference. */
const finders = /^(?:grep|rg|ag|ack|find|diff|which)$/;

/** Whether a command line ends with a program that looks for something: to find nothing is no error. */
export function endsWithSearch(command: string): boolean {
  return finders.test(partsOf(command).at(-1)?.program ?? '');
}

/** Whether each part of a command line only prints what it reads or finds. */
export function onlyReads(command: string): boolean {
  const leading = partsOf(command).filter(({ program }) => program !== 'cd');
  return (
    leading.length > 0 &&
    leading.every(({ program, words }) => readers.test(program) || showsHistory(program, words))
  );
}

/** Whether a line says why a program could not read or run: by its end, or `program: ` before it. */
export function isShellComplaint(line: string): boolean {
  return (
    isShellFailure(line) ||
    /^(?:fatal|cat|head|tail|sed|awk|grep|rg|find|ls|jq|diff): \S/.test(line)
  );
}

function isShellFailure(line: string): boolean {
  return shellComplaint.test(line) || fileComplaint.test(line) || ended.test(line);
}

/** Whether a line is a complaint of a shell, or of one of these programs: others may quote it. */
function complains(line: string, programs: readonly string[]): boolean {
  if (shellComplaint.test(line) || ended.test(line)) return true;
  const [, program] = fileComplaint.exec(line) ?? [];
  return program !== undefined && programs.includes(program);
}

/** How many characters at each end of an output are searched. */
const reach = 8000;

/** The programs that a command line runs, without paths, settings of the environment and their flags. */
function programsOf(command: string): string[] {
  const programs = command
    .split(/&&|\|\||[;|\n]/)
    .flatMap((part) => part.trim().split(/\s+/, 6))
    .filter((word) => /^[\w./@-]{1,100}$/.test(word) && !word.startsWith('-'))
    .map((word) => word.slice(word.lastIndexOf('/') + 1));
  return [...new Set(programs)];
}

/** A command line without what stands in quotes: that names no program, whatever signs it holds. */
function withoutQuoted(command: string): string {
  return command.replace(quoted, (text) => (/^(['"])[\s\S]*\1$/.test(text) ? '""' : text));
}

/** The first program of each part of a command line, and the words after it. */
function partsOf(command: string): { readonly program: string; readonly words: string[] }[] {
  return withoutQuoted(command)
    .split(/&&|\|\||[;|\n]/)
    .flatMap((part) => {
      const words = part.trim().split(/\s+/);
      const first = words.findIndex((word) => !/^\w{1,60}=/.test(word));
      const program = words[first] ?? '';
      if (program === '') return [];
      return [
        { program: program.slice(program.lastIndexOf('/') + 1), words: words.slice(first + 1) },
      ];
    });
}

/** The commands of Git that print what others wrote. */
const historyCommands: ReadonlySet<string> = new Set(
  'diff show log blame grep ls-files cat-file ls-tree shortlog reflog status rev-parse'.split(' '),
);

function showsHistory(program: string, words: readonly string[]): boolean {
  if (program === 'gh') return words.some((word) => word === 'view' || word === 'diff');
  const isGlobal = (at: number): boolean => words[at - 1] === '-C' || words[at - 1] === '-c';
  const command = words.find((word, at) => !word.startsWith('-') && !isGlobal(at));
  return program === 'git' && historyCommands.has(command ?? '');
}

/** Lines of a command that could do nothing. */
const fewLines = 5;

/** Git says first, and alone, that it could show nothing. */
function isRefusedByGit(lines: readonly string[]): boolean {
  const told = lines.filter((line) => line !== '');
  return told.length <= fewLines && /^(?:fatal|error): /.test(told[0] ?? '');
}

/** Longest part of a line that is looked at, characters. */
const maxLine = 400;

function linesOf(text: string): string[] {
  const ends = text.length <= 2 * reach ? text : `${text.slice(0, reach)}\n${text.slice(-reach)}`;
  return ends.split('\n').map((line) => line.slice(0, maxLine).trim());
}

/** Patterns of several signs as one, by the places of the signs in the table: each line is looked at once. */
const joined = new Map<string, RegExp>();

/** Returns the patterns of signs as one; `undefined` if there are none. None of them has flags. */
function signPattern(signs: readonly Signs[], of: 'failed' | 'ok'): RegExp | undefined {
  const sources = signs.flatMap((sign) => sign[of]?.source ?? []);
  if (sources.length === 0) return undefined;
  const key = `${of} ${signs.map((sign) => table.indexOf(sign)).join(' ')}`;
  const pattern = joined.get(key) ?? new RegExp(sources.join('|'));
  joined.set(key, pattern);
  return pattern;
}

/** Whether the exit code of a command line is that of all it runs. */
function isSingle(command: string): boolean {
  return !/[|;&\n]/.test(withoutQuoted(command).replaceAll(/\d?>&\d|&>/g, ''));
}

/** What the output of a command shows, where its exit code, if it has one, tells of no failure. */
function shownBy(command: string, output: string, told: Outcome): Outcome {
  const lines = linesOf(output);
  const programs = programsOf(command);
  if (onlyReads(command)) {
    const isRefused = programs.includes('git') && isRefusedByGit(lines);
    return isRefused || lines.some((line) => complains(line, programs)) ? 'failed' : told;
  }
  if (lines.some((line) => complains(line, programs))) return 'failed';
  const failure = signPattern(signsOf(programs), 'failed');
  if (failure !== undefined && lines.some((line) => failure.test(line))) return 'failed';
  return showsSuccess(command, lines, told === 'ok') ? 'ok' : 'unknown';
}

/** What the output of these programs may show. */
function signsOf(programs: readonly string[]): Signs[] {
  const runsAny = programs.some((program) => runners.test(program));
  return table.filter(
    ({ programs: known }) => runsAny || programs.some((program) => known.test(program)),
  );
}

/** Most commands in a chain. The outcome of a longer chain stays unknown. */
const mostParts = 100;

/** Returns the place after the next line that each pattern finds; -1 if none follows. A pattern that found none is not tried again. */
function nextLine(lines: readonly string[]): (pattern: RegExp | undefined) => number {
  const spent = new Set<RegExp>();
  let next = 0;
  return (pattern) => {
    if (pattern === undefined || spent.has(pattern)) return -1;
    const place = lines.findIndex((line, at) => at >= next && pattern.test(line));
    if (place === -1) spent.add(pattern);
    else next = place + 1;
    return place;
  };
}

/**
 * Whether an output shows of each command of a chain that it went well: in order, and one line for each. An exit code of 0 tells it of
 * those after which nothing runs unless they went well.
 */
function showsSuccess(command: string, lines: readonly string[], isZero: boolean): boolean {
  const parts = chainOf(withoutQuoted(command));
  if (parts.length > mostParts) return false;
  const find = nextLine(lines.filter((line) => line !== ''));
  for (const { text, isNeeded, isHidden } of parts) {
    const says = parts.length === 1 || !isSilent(text);
    const place = find(says ? signPattern(signsOf(programsOf(text)), 'ok') : undefined);
    if (place === -1 && isNeeded && (isHidden || !isZero)) return false;
  }
  return isZero || parts.length > 0;
}

/**
 * Returns how a command ended: by the tool's own error flag, else by the exit code of a single command, else by the failures that its
 * output shows, else by its exit code, else by what its output shows of a success. A pipe hides the exit code of what failed in it, so a
 * shown failure counts more than its 0; of a command after which others run in any case (`;`, `||`) a 0 says nothing. `unknown` is never success. Runs a few expressions over 16,000 characters.
 */
export function outcomeOf({ command, result, ending, isError, exitCode }: HistoryCall): Outcome {
  if (isError) return 'failed';
  const told = toldBy(exitCode);
  if (command === undefined || result === undefined || told === 'failed') return told;
  if (told === 'ok' && isSingle(command)) return told;
  return shownBy(command, ending === undefined ? result : `${result}\n${ending}`, told);
}

function toldBy(exitCode: number | undefined): Outcome {
  if (exitCode === undefined) return 'unknown';
  return exitCode === 0 ? 'ok' : 'failed';
}

/** The outcome in words for the end of a line. */
export function outcomeText(call: HistoryCall): string {
  const outcome = outcomeOf(call);
  const { exitCode, refusal } = call;
  if (refusal !== undefined) return '(refused by the user)';
  if (outcome === 'unknown') return '(outcome not shown)';
  if (exitCode !== undefined && (exitCode !== 0) === (outcome === 'failed')) {
    return `(exit ${String(exitCode)})`;
  }
  return `(${outcome})`;
}
