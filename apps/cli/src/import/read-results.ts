import type { Message, OutputInput, ToolResultBlock, ToolUseBlock } from '@ctx/core';
import type { TranscriptEvent } from '@ctx/transcripts';
import { resultOf, type StoredResult } from './stored-event.ts';

/** A tool result of a message, as the store of outputs takes it. */
export interface ReadResult {
  /** Index of the block in the message. */
  readonly block: number;
  readonly form: StoredResult['form'];
  readonly isError: boolean;
  readonly input: OutputInput;
}

/** Finds tool results and what they answer. */
export interface ResultReader {
  /** The results of the next event's message, in order. */
  read(event: TranscriptEvent): ReadResult[];
}

function isPrompt({ role, content }: Message, { flags }: TranscriptEvent): boolean {
  const isOwn = flags?.scaffold !== true && flags?.summary !== true;
  return role === 'user' && isOwn && content.some(({ type }) => type === 'text');
}

/** How many calls are remembered: results follow their calls closely, and a log may hold millions. */
const maxCalls = 10_000;

/** Starts with the first event of a session. Remembers the newest calls, since results name them only by id. */
export function startResultReader(sessionId: string): ResultReader {
  const calls = new Map<string, ToolUseBlock>();
  const turns = new Map<string, number>();
  const remember = (name: string, call: ToolUseBlock): void => {
    calls.delete(name);
    calls.set(name, call);
    const [oldest] = calls.keys();
    if (calls.size > maxCalls && oldest !== undefined) calls.delete(oldest);
  };
  const nameOf = (lane: string, id: string): string => `${lane}\n${id}`;
  const inputOf = ({ lane, at }: TranscriptEvent, block: ToolResultBlock): OutputInput => {
    const { name = 'unknown', input = {} } = calls.get(nameOf(lane, block.toolUseId)) ?? {};
    return {
      sessionId,
      toolName: name,
      args: input,
      result: resultOf(block).value,
      queryId: `turn-${String(turns.get(lane) ?? 0)}`,
      ...(lane === 'main' ? {} : { taskId: lane }),
      ...(at === undefined ? {} : { createdAt: at }),
    };
  };
  return {
    read: (event) => {
      const { message, lane } = event;
      if (message === undefined) return [];
      if (isPrompt(message, event)) turns.set(lane, (turns.get(lane) ?? 0) + 1);
      return message.content.flatMap((block, index): ReadResult[] => {
        if (block.type === 'tool_use') remember(nameOf(lane, block.id), block);
        if (block.type !== 'tool_result') return [];
        const { form } = resultOf(block);
        const isError = block.isError === true;
        return [{ block: index, form, isError, input: inputOf(event, block) }];
      });
    },
  };
}
