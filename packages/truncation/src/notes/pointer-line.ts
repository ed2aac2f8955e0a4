import type { ContextPointer } from '@ctx/core';
import { counted } from '../compress/choose-lines.ts';
import { oneLine } from '../insert/one-line.ts';
import { pointerUri } from '../insert/pointer-uri.ts';

/** Most characters of a quoted text. */
const maxQuoted = 300;

/** Foreign text on one line. */
export const quoted = (text: string): string => oneLine(text, maxQuoted);

/** One line of an output: what it was, how large, and where it is. */
export function pointerLine(pointer: ContextPointer): string {
  const { id, toolName, toolDescription, path, lines, tokens } = pointer;
  const what = path === undefined ? quoted(toolDescription) : `${quoted(toolName)} ${quoted(path)}`;
  return `- ${what} (${counted(lines, 'line')}, ${counted(tokens, 'token')}): ${pointerUri(id)}`;
}
