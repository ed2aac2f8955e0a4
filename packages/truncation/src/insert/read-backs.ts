import type { ContentBlock } from '@ctx/core';
import { commandsOf } from '../calls/commands-of.ts';
import { shellReadHint } from './read-hints.ts';

/** A tool that reads what left a window, also where a host puts the name of its server before; or a command that does, as `ctx run` offers it. */
const readBack = /ctx[_ ](?:read|search)(?:_outputs?$| )/m;

function readsBack(block: ContentBlock): boolean {
  if (block.type !== 'tool_use') return false;
  const commands = commandsOf(block).map(({ command }) => command);
  return readBack.test([block.name, ...commands].join('\n'));
}

/** How an agent reads back what is stored. */
export const readBacks = {
  /** For a model that has a shell, in which a command shows the output. */
  shellHint: shellReadHint,
  /** Counts the calls among the blocks of messages that read back what is stored: with a tool of ctx, or in a shell. */
  count: (content: readonly ContentBlock[]): number => content.filter(readsBack).length,
};
