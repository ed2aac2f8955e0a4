import type { ContentBlock, ToolResultBlock, ToolUseBlock } from '@ctx/core';
import type { ClientMessage, Dialect } from '../dialects/dialect.ts';
import { parsed } from '../json/values.ts';
import { readTool } from './read-tool.ts';

/** How calls of the tool are answered. */
export interface Answering {
  readonly dialect: Dialect;
  /** The calls that the model made, by id: clients may put another in their place. */
  readonly calls: ReadonlyMap<string, unknown>;
  readonly read: (args: unknown) => Promise<string>;
  /** The results that went out as the client's errors, by call id. */
  readonly errors: ReadonlySet<string>;
  /** The messages that were answered before. */
  readonly known: WeakMap<ClientMessage, ClientMessage>;
}

/** A block that takes the place of the client's, and its JSON. */
interface Written {
  readonly block: ContentBlock;
  readonly part: string;
}

function argsOf({ id, name, input }: ToolUseBlock, calls: Answering['calls']): unknown {
  if (name === readTool.name) return typeof input === 'string' ? parsed(input) : input;
  return calls.get(id);
}

function writtenCall(
  { dialect }: Answering,
  call: ToolUseBlock,
  { args, origin }: { readonly args: unknown; readonly origin: string },
): Written | undefined {
  if (call.name === readTool.name) return undefined;
  const block: ToolUseBlock = { ...call, name: readTool.name, input: args };
  return { block, part: dialect.writePart(block, origin, 'assistant') };
}

async function writtenAnswer(
  { dialect, read }: Answering,
  { toolUseId }: ToolResultBlock,
  { args, origin }: { readonly args: unknown; readonly origin: string },
): Promise<Written> {
  const text = await read(args);
  const block: ToolResultBlock = {
    type: 'tool_result',
    toolUseId,
    content: [{ type: 'text', text }],
  };
  return { block, part: dialect.writePart(block, origin, 'user') };
}

function noteCalls(
  { calls }: Answering,
  { message }: ClientMessage,
  open: Map<string, unknown>,
): void {
  for (const block of message.content) {
    if (block.type !== 'tool_use') continue;
    const args = argsOf(block, calls);
    if (args !== undefined) open.set(block.id, args);
  }
}

/** What takes the place of a block, if anything. */
async function writtenFor(
  answering: Answering,
  block: ContentBlock,
  { open, origin }: { readonly open: ReadonlyMap<string, unknown>; readonly origin: string },
): Promise<Written | undefined> {
  if (block.type === 'tool_use' && open.has(block.id)) {
    return writtenCall(answering, block, { args: open.get(block.id), origin });
  }
  if (block.type !== 'tool_result' || !open.has(block.toolUseId)) return undefined;
  if (answering.errors.has(block.toolUseId)) return undefined;
  return writtenAnswer(answering, block, { args: open.get(block.toolUseId), origin });
}

async function answered(
  answering: Answering,
  given: ClientMessage,
  open: ReadonlyMap<string, unknown>,
): Promise<ClientMessage> {
  const content: ContentBlock[] = [];
  const parts: string[] = [];
  for (const [index, block] of given.message.content.entries()) {
    const origin = given.parts[index] ?? '';
    const written = await writtenFor(answering, block, { open, origin });
    content.push(written?.block ?? block);
    parts.push(written?.part ?? origin);
  }
  if (content.every((block, index) => block === given.message.content[index])) return given;
  const { role } = given.message;
  const raw = answering.dialect.writeMessage(role, parts, given.raw);
  return { ...given, message: { ...given.message, content }, parts, raw, isRewritten: true };
}

/**
 * Puts what was asked for into the place of the errors with which clients answer calls of a tool that they do not know. What was put there
 * once stays.
 */
export async function withAnswers(
  answering: Answering,
  messages: readonly ClientMessage[],
): Promise<readonly ClientMessage[]> {
  const open = new Map<string, unknown>();
  const all: ClientMessage[] = [];
  for (const given of messages) {
    noteCalls(answering, given, open);
    const made = answering.known.get(given) ?? (await answered(answering, given, open));
    answering.known.set(given, made);
    all.push(made);
  }
  return all;
}
