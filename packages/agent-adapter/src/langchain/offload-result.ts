import { isRecord } from '@ctx/core/encoding';
import type { ContextManager } from '../context-manager/context-manager.ts';
import type {
  MessageShape,
  StoredMessageShape,
  ToolCallShape,
  ToolMessageShape,
} from './host-types.ts';

/** What recording a result of LangChain needs. */
export interface ResultRecorder {
  readonly manager: ContextManager;
  readonly call: ToolCallShape;
  /** Makes the host's messages of stored ones. */
  readonly make: (stored: readonly StoredMessageShape[]) => readonly MessageShape[];
}

function isToolMessage(value: unknown): value is ToolMessageShape {
  if (!isRecord(value) || typeof value['tool_call_id'] !== 'string') return false;
  return 'content' in value && typeof value['toDict'] === 'function';
}

/** The text of content that is nothing but text. */
function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content) || content.length !== 1) return undefined;
  const [only] = content as readonly unknown[];
  if (!isRecord(only) || only['type'] !== 'text') return undefined;
  return typeof only['text'] === 'string' ? only['text'] : undefined;
}

/** A message that shows a preview, and holds the pointer as its artifact where the tool gave none. */
function pointing(
  message: ToolMessageShape,
  { content, pointer }: { readonly content: string; readonly pointer?: string },
  make: ResultRecorder['make'],
): MessageShape {
  const { type, data } = message.toDict();
  const own =
    message.artifact === undefined && pointer !== undefined ? { artifact: { pointer } } : {};
  const [made] = make([{ type, data: { ...data, content, ...own } }]);
  return made ?? message;
}

async function offloadMessage(
  { manager, call, make }: ResultRecorder,
  message: ToolMessageShape,
): Promise<MessageShape> {
  const text = textOf(message.content);
  // Parts such as images go to the window as they are.
  if (text === undefined || message.tool_call_id === '') return message;
  const { name, args: input } = call;
  const recorded = await manager.recordToolOutput({ id: message.tool_call_id, name, input }, text);
  return recorded.content === text ? message : pointing(message, recorded, make);
}

interface CommandShape {
  readonly lg_name: 'Command';
  readonly update: unknown;
}

function isCommand(value: unknown): value is CommandShape {
  return isRecord(value) && value['lg_name'] === 'Command';
}

/** The list in which a command brings its messages, and how it looks with another. */
function messagesOf(update: unknown):
  | {
      readonly messages: readonly unknown[];
      readonly withMessages: (changed: readonly unknown[]) => unknown;
    }
  | undefined {
  if (Array.isArray(update)) {
    const place = update.findIndex((each) => Array.isArray(each) && each[0] === 'messages');
    const entry: unknown = update[place];
    if (!Array.isArray(entry) || !Array.isArray(entry[1])) return undefined;
    return {
      messages: entry[1],
      withMessages: (changed) => (update as unknown[]).with(place, ['messages', changed]),
    };
  }
  if (!isRecord(update) || !Array.isArray(update['messages'])) return undefined;
  return {
    messages: update['messages'],
    withMessages: (changed) => ({ ...update, messages: changed }),
  };
}

async function offloadCommand(
  recorder: ResultRecorder,
  command: CommandShape,
): Promise<CommandShape> {
  const found = messagesOf(command.update);
  if (found === undefined) return command;
  const changed = await Promise.all(
    found.messages.map((each) => (isToolMessage(each) ? offloadMessage(recorder, each) : each)),
  );
  if (changed.every((each, index) => each === found.messages[index])) return command;
  // A command of the same kind: its class is the host's.
  const copy = Object.create(Object.getPrototypeOf(command) as object) as CommandShape;
  return Object.assign(copy, command, { update: found.withMessages(changed) });
}

/**
 * Records what a tool of LangChain returned, a message or a command that brings messages.
 * What was given is not changed; it is returned itself where nothing left.
 */
export async function offloadResult(recorder: ResultRecorder, result: unknown): Promise<unknown> {
  if (isToolMessage(result)) return offloadMessage(recorder, result);
  return isCommand(result) ? offloadCommand(recorder, result) : result;
}
