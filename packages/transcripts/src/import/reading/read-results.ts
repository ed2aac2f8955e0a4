import type { Message, ToolResultBlock, ToolUseBlock } from '@ctx/core';
import { callOutcome } from '@ctx/relevance';
import type { OutputInput } from '@ctx/store';
import { resultOf, type StoredResult } from '../../stored/stored-event.ts';
import type { TranscriptEvent } from '../../transcript.ts';

/** A tool result of a message, as the store of outputs takes it. */
export interface ReadResult {
  /** Index of the block in the message. */
  readonly block: number;
  readonly form: StoredResult['form'];
  readonly hasFailed: boolean;
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

/** The bytes of their records, at most: inputs may hold whole files. */
const maxCallBytes = 32_000_000;

/** Starts with the first event of a session. Remembers the newest calls, since results name them only by id. */
export function startResultReader(sessionId: string): ResultReader {
  const calls = rememberCalls();
  const turns = new Map<string, number>();
  const nameOf = (lane: string, id: string): string => `${lane}\n${id}`;
  const readResult = ({ lane, at }: TranscriptEvent, result: ToolResultBlock) => {
    const call = calls.find(nameOf(lane, result.toolUseId));
    const { value, form } = resultOf(result);
    const input: OutputInput = {
      sessionId,
      toolName: call?.name ?? 'unknown',
      args: call?.input ?? {},
      result: value,
      queryId: `turn-${String(turns.get(lane) ?? 0)}`,
      ...(lane === 'main' ? {} : { taskId: lane }),
      ...(at === undefined ? {} : { createdAt: at }),
    };
    return { form, input, hasFailed: callOutcome.hasFailed(call, result) };
  };
  return {
    read: (event) => {
      const { message, lane } = event;
      if (message === undefined) return [];
      if (isPrompt(message, event)) turns.set(lane, (turns.get(lane) ?? 0) + 1);
      return message.content.flatMap((block, index): ReadResult[] => {
        if (block.type === 'tool_use')
          calls.add(nameOf(lane, block.id), block, event.source.length);
        if (block.type !== 'tool_result') return [];
        return [{ block: index, ...readResult(event, block) }];
      });
    },
  };
}

interface CallMemory {
  readonly add: (name: string, call: ToolUseBlock, bytes: number) => void;
  readonly find: (name: string) => ToolUseBlock | undefined;
}

/** Forgets the oldest calls where there are too many or they are too long; never the newest. */
function rememberCalls(): CallMemory {
  const calls = new Map<string, { readonly call: ToolUseBlock; readonly bytes: number }>();
  // Goes on where it was: one that begins anew steps over all that was deleted before.
  const oldestFirst = calls.keys();
  let sum = 0;
  const forget = (name: string): void => {
    sum -= calls.get(name)?.bytes ?? 0;
    calls.delete(name);
  };
  return {
    add: (name, call, bytes) => {
      forget(name);
      calls.set(name, { call, bytes });
      sum += bytes;
      while (calls.size > maxCalls || (sum > maxCallBytes && calls.size > 1)) {
        forget(oldestFirst.next().value ?? '');
      }
    },
    find: (name) => calls.get(name)?.call,
  };
}
