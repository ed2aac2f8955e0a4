import type { ContextPointer, Message, ToolResultBlock, ToolUseBlock } from '@ctx/core';
import { fingerprintText } from '@ctx/core/encoding';
import type { ContextStore, OutputInput } from '@ctx/store';
import { pointerUri } from '../insert/pointer-uri.ts';
import { resultValueOf } from '../insert/result-value.ts';
import { sessionPointers } from '../insert/session-pointers.ts';

/** The tool under whose name a conversation is kept. */
export const conversationTool = 'ctx_messages';

/** Where a conversation goes. */
export interface KeepOptions {
  readonly sessionId: string;
  /** Time of every output, ms since the epoch: of the transcript, so that ids are the same at every run. */
  readonly createdAt: number;
}

/** A conversation that is in the store, whole, and each of its results on its own. */
export interface KeptConversation {
  /** Address of the list of messages. */
  readonly uri: string;
  /** Addresses of the results, by call id. */
  readonly pointers: ReadonlyMap<string, string>;
  /** What the store says of each address. */
  readonly known: ReadonlyMap<string, ContextPointer>;
}

function callsOf(messages: readonly Message[]): Map<string, ToolUseBlock> {
  const calls = new Map<string, ToolUseBlock>();
  for (const { content } of messages) {
    for (const block of content) if (block.type === 'tool_use') calls.set(block.id, block);
  }
  return calls;
}

function resultsOf(messages: readonly Message[]): ToolResultBlock[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_result' ? [block] : [])),
  );
}

/** What the tasks and sessions of a fit begin with. */
const keptMark = 'fit-';

/** What an output is found by when the same conversation comes again. */
function taskIdOf({ toolName, args, result }: Omit<OutputInput, 'sessionId'>): string {
  const print = fingerprintText(JSON.stringify([toolName, args, result]));
  return `${keptMark}${print.slice(0, 24)}`;
}

/** Whether an output is one that a fit kept. */
export function isKeptByFit({ sessionId, taskId = '' }: ContextPointer): boolean {
  return taskId.startsWith(keptMark) && sessionId.startsWith(keptMark);
}

async function storedPointers(
  store: ContextStore,
  sessionId: string,
): Promise<Map<string, ContextPointer>> {
  const found = new Map<string, ContextPointer>();
  for await (const pointer of sessionPointers(store, sessionId)) {
    if (pointer.taskId !== undefined) found.set(pointer.taskId, pointer);
  }
  return found;
}

/**
 * Stores a conversation before anything leaves it: the messages as one list, and each result on its own. What the session
 * holds already is not stored again.
 * All or nothing; equal calls with equal results are one output; ids depend on session and conversation alone, not
 * on the budget. Costs one write of the conversation.
 */
export async function keepConversation(
  store: ContextStore,
  messages: readonly Message[],
  { sessionId, createdAt }: KeepOptions,
): Promise<KeptConversation> {
  const calls = callsOf(messages);
  const list = { toolName: conversationTool, args: {}, result: messages };
  const results = resultsOf(messages).map((block) => {
    const { name: toolName = 'unknown', input: args = {} } = calls.get(block.toolUseId) ?? {};
    return { id: block.toolUseId, output: { toolName, args, result: resultValueOf(block) } };
  });
  const wanted = new Map<string, OutputInput>();
  for (const output of [list, ...results.map((result) => result.output)]) {
    const taskId = taskIdOf(output);
    if (!wanted.has(taskId)) wanted.set(taskId, { ...output, sessionId, taskId, createdAt });
  }
  const stored = await storedPointers(store, sessionId);
  const missing = [...wanted].filter(([taskId]) => !stored.has(taskId));
  const receipts = await store.outputs.saveAll(missing.map(([, output]) => output));
  for (const { pointer } of receipts) {
    if (pointer.taskId !== undefined) stored.set(pointer.taskId, pointer);
  }
  const addressOf = (output: Omit<OutputInput, 'sessionId'>): string =>
    pointerUri(stored.get(taskIdOf(output))?.id ?? '');
  const known = [...stored.values()].map((pointer) => [pointerUri(pointer.id), pointer] as const);
  return {
    uri: addressOf(list),
    pointers: new Map(results.map(({ id, output }) => [id, addressOf(output)])),
    known: new Map(known),
  };
}
