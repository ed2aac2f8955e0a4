import type { Message } from '@ctx/core';
import { readTool } from './read-tool.ts';

/** The calls of the tool, by id. */
export function readCallsIn(messages: readonly Message[]): ReadonlyMap<string, unknown> {
  const calls = messages
    .flatMap(({ content }) => content)
    .filter((block) => block.type === 'tool_use' && block.name === readTool.name);
  return new Map(
    calls.flatMap((call) => (call.type === 'tool_use' ? [[call.id, call.input]] : [])),
  );
}

/** The ids of results that are errors. */
export function errorsIn(messages: readonly Message[]): ReadonlySet<string> {
  const blocks = messages.flatMap(({ content }) => content);
  return new Set(
    blocks.flatMap((block) =>
      block.type === 'tool_result' && block.isError === true ? [block.toolUseId] : [],
    ),
  );
}
