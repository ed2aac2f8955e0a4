import type { ToolOutput } from '@ctx/core';
import { jsonLine } from '@ctx/core/encoding';
import { notes } from '@ctx/truncation';

/** Most characters that are told of a call. Longer inputs have an address of their own in the conversation. */
const maxCharacters = 1000;

/** The call that an output came from, on one line of at most about 1,000 characters: its tool and its arguments. */
export function callLine({ toolName, args }: Pick<ToolOutput, 'toolName' | 'args'>): string {
  const told = typeof args === 'string' ? args : jsonLine(args);
  return notes.oneLine(`${toolName} ${told}`, maxCharacters);
}
