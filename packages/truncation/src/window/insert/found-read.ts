import type { ToolUseBlock } from '@ctx/core';
import type { CallUse } from '../../calls/describe-call.ts';
import { withoutLineNumber } from './line-diff.ts';

/** A file, and text that a read shows of it. */
export interface KnownText {
  readonly path: string;
  readonly text: string;
}

/** Shorter lines stand in every file, characters. */
const minLine = 12;

/** Fewest lines that tell a file. */
const minLines = 10;

function tellingLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => withoutLineNumber(line).trim())
    .filter(({ length }) => length >= minLine);
}

/** Longest input that tells equal calls apart, characters. */
const maxRange = 400;

/**
 * Finds the file that a result shows if its call does not tell: the one of which reads in view hold at least half of its lines.
 * Takes time linear in the texts.
 */
export function findRead(
  call: ToolUseBlock,
  text: string,
  known: readonly KnownText[],
): CallUse | undefined {
  if (known.length === 0) return undefined;
  const lines = [...new Set(tellingLines(text))];
  if (lines.length < minLines) return undefined;
  const path = [...new Set(known.map((read) => read.path))].find((each) => {
    const reads = known.filter((read) => read.path === each);
    const held = new Set(reads.flatMap((read) => tellingLines(read.text)));
    const shared = lines.filter((line) => held.has(line)).length;
    return shared >= minLines && shared * 2 >= lines.length;
  });
  return path === undefined ? undefined : foundUse(call, path);
}

/** What a call does whose result shows a file that it does not name. */
export function foundUse({ name, input }: ToolUseBlock, path: string): CallUse {
  const range = `${name} ${JSON.stringify(input)}`.slice(0, maxRange);
  const shown = [{ path, lines: 'unknown' }] as const;
  return { access: 'read', path, range, shows: 'file', shown, isFound: true };
}
