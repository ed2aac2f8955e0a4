import type { ContentBlock, Message, ToolUseBlock } from '@ctx/core';
import type { AddressOf } from './fit-options.ts';

/** The address of messages at the end of a text that the window made. */
const atEnd = /ctx:\/\/messages\/(\d{1,15})(?:-(\d{1,15}))?(\]?)$/;

function addressed(text: string, addressOf: AddressOf): string {
  const match = atEnd.exec(text);
  if (match === null) return text;
  const [, from, to = from, end = ''] = match;
  return text.slice(0, match.index) + addressOf(Number(from), Number(to)) + end;
}

/** The address at the end of a stand-in for an input. */
const inputAtEnd = /ctx:\/\/\S+$/;

interface Addressing {
  readonly given: ReadonlySet<ContentBlock>;
  /** Places of the calls, by id. */
  readonly calls: ReadonlyMap<string, number>;
  readonly addressOf: AddressOf;
}

/** An input is kept with the message of its call: behind the address of the result stands only the result. */
function addressedCall(block: ToolUseBlock, { calls, addressOf }: Addressing): ToolUseBlock {
  const { input } = block;
  const place = calls.get(block.id);
  if (place === undefined || typeof input !== 'object' || input === null) return block;
  const text = 'ctx' in input ? input.ctx : undefined;
  if (typeof text !== 'string') return block;
  return { ...block, input: { ctx: text.replace(inputAtEnd, () => addressOf(place, place)) } };
}

function addressedBlock(block: ContentBlock, all: Addressing): ContentBlock {
  if (all.given.has(block) || block.type === 'opaque') return block;
  if (block.type === 'text') return { ...block, text: addressed(block.text, all.addressOf) };
  if (block.type === 'tool_use') return addressedCall(block, all);
  const content = block.content.map((part) =>
    part.type === 'text' ? { ...part, text: addressed(part.text, all.addressOf) } : part,
  );
  return { ...block, content };
}

function addressMessage(message: Message, all: Addressing): Message {
  const content = message.content.map((block) => addressedBlock(block, all));
  const isSame = content.every((block, index) => block === message.content[index]);
  return isSame ? message : { ...message, content };
}

/**
 * Names, in what a window put in the place of blocks, where the caller keeps the messages.
 * Contract: blocks that were given come back as they are, whatever their text says.
 */
export function addressing(
  given: readonly Message[],
  addressOf: AddressOf,
): (message: Message) => Message {
  const blocks = new Set(given.flatMap(({ content }) => content));
  const calls = new Map<string, number>();
  for (const [place, { content }] of given.entries()) {
    for (const block of content) if (block.type === 'tool_use') calls.set(block.id, place);
  }
  const all = { given: blocks, calls, addressOf };
  return (message) => addressMessage(message, all);
}
