import { type ContentBlock, callsOf, type Message, type ToolUseBlock } from '@ctx/core';
import type { HistoryEntry } from '@ctx/store';
import type { TranscriptEvent } from '../transcript.ts';

/** What a block says, on lines of its own. */
function textOf(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'tool_use') return `${block.name} ${JSON.stringify(block.input)}`;
  if (block.type === 'tool_result') return block.content.map(textOf).join('\n');
  return '';
}

/** Who says it: what the host wrote in the user's place is not the user's word, and a summary is a model's. */
function roleOf({ role, content }: Message, flags: TranscriptEvent['flags']): string {
  if (content.some(({ type }) => type === 'tool_result')) return 'tool';
  if (role === 'user' && flags?.summary === true) return 'assistant';
  return role === 'user' && flags?.scaffold === true ? 'system' : role;
}

/** A call as chat histories note it, so that a summariser knows it again. */
function notedCall({ id, name, input }: ToolUseBlock): unknown {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}

/** Whether it is part of the conversation: a prompt and what no view shows are not. */
function isSaid({ lane, flags }: TranscriptEvent): boolean {
  return lane === 'main' && flags?.hidden !== true && flags?.prompt !== true;
}

/**
 * Returns a message of a log as an entry of a session's history; `undefined` for what says nothing or is no part of the conversation.
 * `before`: seconds, for events without a time.
 */
export function historyEntryOf(event: TranscriptEvent, before: number): HistoryEntry | undefined {
  const { message, at, flags } = event;
  if (message === undefined || !isSaid(event)) return undefined;
  const calls = callsOf(message);
  const results = message.content.filter((block) => block.type === 'tool_result');
  const [answered] = results.length === 1 ? results : [];
  const content = message.content
    .map(textOf)
    .filter((text) => text !== '')
    .join('\n');
  if (content === '') return undefined;
  return {
    timestamp: at === undefined ? before : at / 1000,
    role: roleOf(message, flags),
    content,
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(notedCall) }),
    ...(answered === undefined ? {} : { tool_call_id: answered.toolUseId }),
  };
}
