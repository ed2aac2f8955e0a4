import { cutText } from '@ctx/core';
import { commandLine, hasFailed } from '../commands.ts';
import type { History, HistoryCall } from '../history.ts';
import { meantToFail } from './meant-to-fail.ts';
import { failedTest, neededKeys, reachedKeys } from './mending.ts';
import { endsWithSearch, isShellComplaint, onlyReads } from './outcomes.ts';
import { isAnsweredNo } from './probes.ts';
import { folderOf } from './same-runs.ts';

/** An error that nothing after it shows to be mended. */
export interface OpenError {
  /** The most telling line of the result, on one line. */
  readonly text: string;
  /** The tool and what it was about. */
  readonly subject: string;
  readonly callsSince: number;
  readonly pointer?: string;
}

/** Longest error line that is kept, characters. */
const maxError = 300;
/** How far from the end of a result its error is looked for, characters. */
const reach = 20_000;

const errorWord =
  /\b(?:error|exception|failed|failure|fatal|panic|cannot|denied|not found|undefined)\b|[a-z](?:Error|Exception)\b/i;
/** How a test runner begins the line of what failed, which counts before other words of failure. */
const failedLine = /^(?:--- FAIL|FAIL(?:ED)?\b|ERROR\b)/;
/** What a host says of a command that has not ended yet. */
const runsOn = /^Process running with session ID .{1,60}$/gm;
/** What a shell or Python writes first says only that something went wrong. */
const emptyLine = /^(?:Exit code:? -?\d+|Traceback \(most recent call last\):)$/i;
/** What a debugger of Node says of itself, and a line of a file with its number, which a command beside the one that failed has shown. */
const besides =
  /^(?:Debugger (?:attached\.|listening on )|Waiting for the debugger to disconnect|\d{1,6}[\t→])/;
/** An error at a line of a file, which two commands may show. */
const placed = /^\S{1,300}\.\w{1,10}[:(]\d/;
/** What a host answers a call that it did not make, because another beside it failed. */
const neverRan = /^<tool_use_error>(?:Sibling tool call errored|Cancelled: parallel tool call)/;

/**
 * The errors that nothing after them shows to be mended, newest first, one a subject and one a place in a file: no later run of the command went well, in whatever
 * chain or pipe or by whichever package manager, nor a run over the tests that failed, nor an edit of the file, nor a run of the test that failed. A look that found nothing is over once anything was done.
 * Makes one pass, and looks at the last 20,000 characters of each failed result.
 */
export function openErrors(history: History): OpenError[] {
  const { calls } = history;
  const open = createOpenErrors();
  const isMeant = meantToFail(history);
  let folder = '';
  for (const call of calls) {
    const subject = subjectOf(call);
    folder = folderOf(call, folder);
    for (const key of reachedKeys(call, folder)) open.reach(key);
    open.close(subject);
    if (!hasFailed(call) || call.refusal !== undefined) continue;
    const text = isAnsweredNo(call) ? '' : errorLine(call);
    if (text === '' || isMeant(call) || neverRan.test(text)) continue;
    const pointer = call.pointer === undefined ? {} : { pointer: call.pointer };
    const callsSince = calls.length - call.number - 1;
    open.add({ text, subject, callsSince, ...pointer }, neededKeys(call, text, folder));
  }
  return open.newestFirst();
}

interface OpenErrors {
  /** Takes in an error; one of the same command, met before, is that error in an older state. */
  readonly add: (error: OpenError, keys: readonly string[]) => void;
  readonly close: (subject: string) => void;
  /** Closes what waited for this, and what failed in the same test. */
  readonly reach: (key: string) => void;
  readonly newestFirst: () => OpenError[];
}

function createOpenErrors(): OpenErrors {
  const bySubject = new Map<string, OpenError>();
  const waiting = new Map<string, OpenError[]>();
  const take = (key: string): OpenError[] => {
    const errors = waiting.get(key) ?? [];
    waiting.delete(key);
    return errors.filter((error) => bySubject.get(error.subject) === error);
  };
  const reach = (key: string): void => {
    for (const { subject, text } of take(key)) {
      bySubject.delete(subject);
      const test = failedTest(text);
      if (test !== undefined) reach(test);
    }
  };
  return {
    reach,
    close: (subject) => bySubject.delete(subject),
    add: (error, keys) => {
      const parts = keys.filter((key) => /^(?:part|same) /.test(key));
      for (const { subject } of parts.flatMap(take)) bySubject.delete(subject);
      bySubject.set(error.subject, error);
      const test = failedTest(error.text);
      for (const key of test === undefined ? keys : [...keys, test]) {
        const others = waiting.get(key);
        if (others === undefined) waiting.set(key, [error]);
        else others.push(error);
      }
    },
    newestFirst: () => {
      const errors = [...bySubject.values()];
      const byText = new Map(errors.map((error) => [error.text, error]));
      const isNewest = (one: OpenError) => !placed.test(one.text) || byText.get(one.text) === one;
      return errors.filter(isNewest).reverse();
    },
  };
}

/** What was done with success in the end, as {@link OpenError.subject} names it. Makes one pass. */
export function succeededSubjects({ calls }: History): string[] {
  const states = new Map<string, boolean>();
  for (const call of calls) states.set(subjectOf(call), !hasFailed(call));
  return Array.from(states).flatMap(([subject, succeeded]) => (succeeded ? [subject] : []));
}

/** What a call was about: its tool with its command or its file. */
export function subjectOf({ toolName, path, command }: HistoryCall): string {
  if (command !== undefined) return `${toolName} ${commandLine(command)}`;
  return path === undefined ? toolName : `${toolName} ${path}`;
}

/** What a search shows is no error, nor is that it finds nothing: only the program's own complaint is. */
function errorLine({ result = '', ending, command = '' }: HistoryCall): string {
  if (ending !== undefined) return tellingLine(`${result}\n${ending}`.replace(runsOn, ''));
  const isSearch = endsWithSearch(command);
  if (!onlyReads(command)) return tellingLine(result);
  const lines = result.slice(-reach).split('\n');
  const complaint = lines.find((line) => isShellComplaint(line.trim()))?.trim();
  if (complaint === undefined) return isSearch ? '' : tellingLine(result);
  return cutText(complaint, { maxCharacters: maxError });
}

/** How Python writes the error that it met: at the end, behind the lines of code that led to it. */
const pythonError = /^[\w.]{0,100}(?:Error|Exception|Interrupt|Exit|Iteration|Warning)(?:: |$)/;

/** The error at the end of a traceback; `undefined` where there is none. */
function endOfTraceback(lines: readonly string[]): string | undefined {
  const start = lines.findLastIndex((line) => line.startsWith('Traceback '));
  if (start === -1) return undefined;
  return (
    lines.slice(start).find((line) => pythonError.test(line)) ??
    lines.findLast((line) => !emptyLine.test(line))
  );
}

function tellingLine(result: string): string {
  const isCut = result.length > reach;
  const end = isCut ? result.slice(result.indexOf('\n', result.length - reach) + 1) : result;
  const lines = end
    .slice(-reach)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !besides.test(line));
  const plain = isCut ? lines.at(-1) : lines[0];
  const telling =
    lines.find((line) => failedLine.test(line)) ??
    endOfTraceback(lines) ??
    lines.find((line) => errorWord.test(line)) ??
    plain ??
    '';
  return cutText(telling, { maxCharacters: maxError });
}
