import type { ToolUseBlock } from '@ctx/core';
import { toolAccess } from '@ctx/relevance';
import { pathOfArgs } from '@ctx/store';

/** What a call does to a file, as far as the window cares. */
export interface CallUse {
  readonly access: 'read' | 'edit';
  readonly path: string;
  /** What of the file it asks for: equal for equal calls, '' for all of it. */
  readonly range: string;
}

/** Tells what a call does; `undefined` for a call without a file. Callers may hand in their own. */
export type DescribeCall = (call: ToolUseBlock) => CallUse | undefined;

/** Longest arguments that are looked at for a range, characters. */
const maxRange = 400;

/** A shell command with one of these does more than showing a file. */
const shellSigns = /[|;&<>`$]/;

function fields(input: unknown): [string, unknown][] {
  return typeof input === 'object' && input !== null ? Object.entries(input) : [];
}

/** A path in one spelling. */
function spelling(path: string): string {
  const parts = path.replaceAll('\\', '/').split('/');
  return (
    (path.startsWith('/') ? '/' : '') +
    parts.filter((part) => part !== '' && part !== '.').join('/')
  );
}

function rangeOf(input: unknown, path: string): string {
  const rest = fields(input).filter(([, value]) => value !== path && value !== undefined);
  const isCommand = rest.some(([name]) => name === 'cmd' || name === 'command');
  const telling = rest.filter(([name, value]) => {
    if (name === 'command') return value !== 'view';
    return typeof value === 'number' || Array.isArray(value) || (isCommand && name === 'cmd');
  });
  return telling.length === 0 ? '' : JSON.stringify(telling).slice(0, maxRange);
}

/** Knows the tools that core knows: by name, by path argument, and shell commands that show one file and nothing else. */
export function describeCall({ name, input }: ToolUseBlock): CallUse | undefined {
  const path = pathOfArgs(input);
  const use = path === undefined ? undefined : toolAccess(name, input);
  if (path === undefined || use === undefined) return undefined;
  const command = fields(input).find(([key]) => key === 'command' || key === 'cmd')?.[1];
  const isShell = typeof command === 'string' && command.includes(path);
  if (isShell && shellSigns.test(command)) return undefined;
  return { access: use.access, path: spelling(path), range: rangeOf(input, path) };
}
