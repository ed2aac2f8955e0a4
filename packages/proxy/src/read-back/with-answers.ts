import type { ContentBlock, ToolResultBlock, ToolUseBlock } from '@ctx/core';
import type { ClientMessage, Dialect } from '../dialects/dialect.ts';
import { parsed } from '../json/values.ts';
import { createCallNumbers } from './number-calls.ts';
import { readTool } from './read-tool.ts';

/** What opencode names the calls of tools that it does not know. */
const unknownName = 'invalid';

/** How calls of the tool are answered. All ids are those that the window has. */
export interface Answering {
  readonly dialect: Dialect;
  /** The calls that the model made, by id: opencode puts another in their place. */
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

/** A message with the ids of the calls that its blocks make or answer, and the arguments of the calls of the tool so far. */
interface Numbered {
  readonly ids: readonly (string | undefined)[];
  readonly asked: ReadonlyMap<string, unknown>;
}

function argsOf({ name, input }: ToolUseBlock, made: unknown): unknown {
  if (name === readTool.name) return typeof input === 'string' ? parsed(input) : input;
  return name === unknownName ? made : undefined;
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
  { ids, asked }: Numbered & { readonly asked: Map<string, unknown> },
): void {
  for (const [index, block] of message.content.entries()) {
    const id = ids[index];
    if (block.type !== 'tool_use' || id === undefined) continue;
    const args = argsOf(block, calls.get(id));
    if (args !== undefined) asked.set(id, args);
  }
}

/** What takes the place of a block, if anything. */
async function writtenFor(
  answering: Answering,
  block: ContentBlock,
  { id = '', asked, origin }: { id: string | undefined; asked: Numbered['asked']; origin: string },
): Promise<Written | undefined> {
  const call = { args: asked.get(id), origin };
  if (call.args === undefined) return undefined;
  if (block.type === 'tool_use') return writtenCall(answering, block, call);
  if (block.type !== 'tool_result' || answering.errors.has(id)) return undefined;
  return writtenAnswer(answering, block, call);
}

async function answered(
  answering: Answering,
  given: ClientMessage,
  { ids, asked }: Numbered,
): Promise<ClientMessage> {
  const content: ContentBlock[] = [];
  const parts: string[] = [];
  for (const [index, block] of given.message.content.entries()) {
    const origin = given.parts[index] ?? '';
    const written = await writtenFor(answering, block, { id: ids[index], asked, origin });
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
  const number = createCallNumbers();
  const asked = new Map<string, unknown>();
  const all: ClientMessage[] = [];
  for (const given of messages) {
    const numbered = { ids: number(given.message), asked };
    noteCalls(answering, given, numbered);
    const made = answering.known.get(given) ?? (await answered(answering, given, numbered));
    answering.known.set(given, made);
    all.push(made);
  }
  return all;
}
