import type { ToolResultBlock } from '@ctx/core';

/** A result as the tool-output service takes it: plain text as a string, anything else as its blocks. */
export function resultValueOf(block: ToolResultBlock): unknown {
  const [first] = block.content;
  if (block.content.length === 0) return '';
  const isPlain = block.content.length === 1 && first?.type === 'text' && first.extra === undefined;
  return isPlain ? first.text : block.content;
}

/** Whether a stored result is, byte for byte, the one that the block held. */
export function isSameResult(block: ToolResultBlock, stored: unknown): boolean {
  const value = resultValueOf(block);
  if (typeof value === 'string') return stored === value;
  return JSON.stringify(stored) === JSON.stringify(value);
}
