import type { ContentBlock, Message } from '@ctx/core';
import { approximateTokens } from '@ctx/tokens/approximate';

/** A way of making a history fit, as somebody ships it. */
export interface Peer {
  readonly name: string;
  /** The message format in which the result was judged. */
  readonly format: string;
  /** The messages of the request, read back from the format; `undefined` where it refuses to make one. */
  readonly fit: (
    messages: readonly Message[],
    budgetTokens: number,
  ) => Promise<readonly Message[] | undefined>;
}

/** The text of a block as all peers count it. */
function textOf(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'tool_use') return block.name + JSON.stringify(block.input);
  if (block.type === 'opaque') return JSON.stringify(block.data);
  return block.content.map(textOf).join('\n');
}

/** Tokens of a message: the same count for every peer that lets one choose. */
export function tokensOf({ content }: Message): number {
  return content.reduce((sum, block) => sum + approximateTokens(textOf(block)), 4);
}

/** Tokens of a list. */
export function totalOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + tokensOf(message), 0);
}
