import { cutText } from '@ctx/core';
import { commandLine, hasFailed } from '../commands.ts';
import type { History, HistoryCall } from '../history.ts';
import { endsWithSearch, isShellComplaint, onlyReads } from './outcomes.ts';

/** An error that nothing after it shows to be mended. */
export interface OpenError {
  /** The most telling line of the result, on one line. */
  readonly text: string;
  /** The tool and what it was about. */
  readonly subject: string;
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
/** What a shell or Python writes first says only that something went wrong. */
const emptyLine = /^(?:Exit code:? -?\d+|Traceback \(most recent call last\):)$/i;

/**
 * The errors without a later success of the same tool on the same subject, newest first, one a subject.
 * Makes one pass, and looks at the last 20,000 characters of each failed result.
 */
export function openErrors({ calls }: History): OpenError[] {
  const open = new Map<string, OpenError>();
  for (const call of calls) {
    const subject = subjectOf(call);
    open.delete(subject);
    if (!hasFailed(call) || call.refusal !== undefined) continue;
    const text = errorLine(call);
    const pointer = call.pointer === undefined ? {} : { pointer: call.pointer };
    if (text !== '') open.set(subject, { text, subject, ...pointer });
  }
  return [...open.values()].reverse();
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
function errorLine({ result = '', command = '' }: HistoryCall): string {
  const isSearch = endsWithSearch(command);
  if (isSearch && /^(?:exit code:? 1)?$/i.test(result.trim())) return '';
  if (!onlyReads(command)) return tellingLine(result);
  const lines = result.slice(-reach).split('\n');
  const complaint = lines.find((line) => isShellComplaint(line.trim()))?.trim();
  if (complaint === undefined) return isSearch ? '' : tellingLine(result);
  return cutText(complaint, { maxCharacters: maxError });
}

/** Python ends with the error that it met. */
function endsTraceback(lines: readonly string[]): boolean {
  return lines.some((line) => line.startsWith('Traceback '));
}

function tellingLine(result: string): string {
  const isCut = result.length > reach;
  const end = isCut ? result.slice(result.indexOf('\n', result.length - reach) + 1) : result;
  const lines = end
    .slice(-reach)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const plain = isCut ? lines.at(-1) : lines[0];
  const telling =
    lines.find((line) => failedLine.test(line)) ??
    lines.find((line) => errorWord.test(line)) ??
    lines.findLast((line) => !emptyLine.test(line) && endsTraceback(lines)) ??
    plain ??
    '';
  return cutText(telling, { maxCharacters: maxError });
}
