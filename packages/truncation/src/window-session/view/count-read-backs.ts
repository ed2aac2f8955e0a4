import type { ContentBlock } from '@ctx/core';

/** The tools that read what left a window, also where a host puts the name of its server before theirs. */
const readBackTool = /(?:^|_)ctx_(?:read_output|search_outputs)$/;

/** Counts the calls in a message that read back what is stored. */
export function countReadBacks(content: readonly ContentBlock[]): number {
  return content.filter((block) => block.type === 'tool_use' && readBackTool.test(block.name))
    .length;
}
