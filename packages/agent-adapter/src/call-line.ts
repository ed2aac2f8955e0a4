import { cutText, encodeValue, type ToolOutput } from '@ctx/core';

/** Most characters that are told of a call. Longer inputs have an address of their own in the conversation. */
const maxCharacters = 1000;

/** Signs that break a line, or turn the direction of reading. */
const lineSigns = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** The call that an output came from, on one line of at most about 1,000 characters: its tool and its arguments. */
export function callLine({ toolName, args }: Pick<ToolOutput, 'toolName' | 'args'>): string {
  const told = typeof args === 'string' ? args : JSON.stringify(encodeValue(args));
  return cutText(`${toolName} ${told}`.replaceAll(lineSigns, ' ').trim(), { maxCharacters });
}
