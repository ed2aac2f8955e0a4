import type { ToolUseBlock } from '@ctx/core';
import { toolCalls } from '@ctx/relevance';
import { pathOfArgs } from '@ctx/store';
import { commandsOf, patchesOf } from './commands-of.ts';
import type { FileLines } from './files/file-coverage.ts';
import { fileUseOf, linesOfRead } from './files/file-use.ts';
import { listedPaths } from './files/listed-paths.ts';
import { normalPath } from './files/normal-path.ts';
import { patchedFiles } from './patch-text.ts';
import type { ShownAs } from './shell/shell-shows.ts';
import { joinUses, shellUse } from './shell/shell-use.ts';

/** What a call does to a file, as far as the window cares. */
export interface CallUse {
  readonly access: 'read' | 'edit';
  /** The first of its files; '' where its output shows source of files that it does not name. */
  readonly path: string;
  /** What of the file it asks for: equal for equal calls, '' for all of it. */
  readonly range: string;
  /** The files that it shows, and which of their lines. Left out: `path` alone, as far as `range` tells. */
  readonly shown?: readonly FileLines[];
  /** The files that it changes. Left out: `path` of an edit. */
  readonly edited?: readonly string[];
  /** How a command shows source; left out for a tool that reads files. */
  readonly shows?: ShownAs;
  /** Whether the lines of its result told the file, and not the call. Default false. */
  readonly isFound?: boolean;
}

/** Tells what a call does; `undefined` for a call without a file. Callers may hand in their own. */
export type DescribeCall = (call: ToolUseBlock) => CallUse | undefined;

/** Longest arguments that are looked at for a range, characters. */
const maxRange = 400;

function fields(input: unknown): [string, unknown][] {
  return typeof input === 'object' && input !== null ? Object.entries(input) : [];
}

function rangeOf(input: unknown, path: string | undefined): string {
  const telling = fields(input).filter(
    ([name, value]) =>
      value !== path && name !== 'command' && (typeof value === 'number' || Array.isArray(value)),
  );
  return telling.length === 0 ? '' : JSON.stringify(telling).slice(0, maxRange);
}

/** A tool that takes a path, or a list of them. */
function fileToolUse({ name, input }: ToolUseBlock): CallUse | undefined {
  const given = pathOfArgs(input);
  const paths = (given === undefined ? listedPaths(input) : [given]).map((each) =>
    normalPath(each),
  );
  const use = toolCalls.access(name, input);
  const [path] = paths;
  if (use === undefined || path === undefined) return undefined;
  const range = rangeOf(input, given);
  if (use.access === 'edit') return { access: 'edit', path, range, ...editedOf(paths) };
  const known = fileUseOf({ name, input });
  const lines = known?.access === 'read' ? known.lines : linesOfRead(input, given);
  return { access: 'read', path, range, shown: paths.map((shown) => ({ path: shown, lines })) };
}

/** The files of an edit that changes several. */
function editedOf(edited: readonly string[]): Pick<CallUse, 'edited'> {
  return edited.length > 1 ? { edited } : {};
}

function rangeOfShown(shown: readonly FileLines[], commands: string): string {
  const [only] = shown;
  if (shown.length !== 1 || only === undefined || only.lines === 'unknown') {
    return commands.slice(0, maxRange);
  }
  const { first, last } = only.lines;
  return first === 1 && last === Infinity ? '' : `${String(first)}-${String(last)}`;
}

/** A command line, or several in a program. */
function commandUse(call: ToolUseBlock): CallUse | undefined {
  const commands = commandsOf(call);
  if (commands.length === 0) return undefined;
  const joined = joinUses(commands.map(({ command, folder }) => shellUse(command, folder)));
  const shown = joined.shown.map(({ path, lines }) => ({ path: normalPath(path), lines }));
  const edited = joined.edited.map((path) => normalPath(path));
  const { shows } = joined;
  if (shows !== undefined && !joined.isMixed) {
    const text = commands.map(({ command }) => command).join('\n');
    const [{ path } = { path: '' }] = shown;
    const range = rangeOfShown(shown, text);
    return { access: 'read', path, range, shown, edited, shows };
  }
  const [path] = edited;
  return path === undefined ? undefined : { access: 'edit', path, range: '', edited };
}

function patchUse(call: ToolUseBlock): CallUse | undefined {
  const files = patchesOf(call).flatMap(patchedFiles);
  const edited = [...new Set(files.map(({ path }) => normalPath(path)))];
  const [path] = edited;
  return path === undefined ? undefined : { access: 'edit', path, range: '', edited };
}

/**
 * Knows what well-known tools do to files: by name and path argument, by the command lines of shells, also in code mode, and by
 * the text of patches. What shows source is a read, however it is shown.
 * Takes time linear in the input.
 */
export function describeCall(call: ToolUseBlock): CallUse | undefined {
  const isCommand = typeof call.input === 'string' || commandsOf(call).length > 0;
  if (isCommand) return patchUse(call) ?? commandUse(call);
  return /patch/i.test(call.name) ? (patchUse(call) ?? fileToolUse(call)) : fileToolUse(call);
}
