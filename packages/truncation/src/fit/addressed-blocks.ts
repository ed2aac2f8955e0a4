import type { ContentBlock, Message, ToolUseBlock } from '@ctx/core';
import { inputMark } from '../window/leave/stub.ts';
import type { AddressOf } from './fit-options.ts';

/** The address of messages at the end of a notice that the window made. */
const atEnd = /ctx:\/\/messages\/(\d{1,15})(?:-(\d{1,15}))?(\]?)$/;

function addressedEnd(text: string, addressOf: AddressOf): string {
  const match = atEnd.exec(text);
  if (match === null) return text;
  const [, from, to = from, end = ''] = match;
  return text.slice(0, match.index) + addressOf(Number(from), Number(to)) + end;
}

/** The line of a call: it names the input in the middle; the address of the result is the caller's already. */
function addressedLine(text: string, addressOf: AddressOf): string {
  const start = text.lastIndexOf(inputMark);
  const end = text.indexOf(')', start);
  if (start < 0 || end < 0) return text;
  const from = start + inputMark.length;
  return text.slice(0, from) + addressedEnd(text.slice(from, end), addressOf) + text.slice(end);
}

function addressedText(text: string, addressOf: AddressOf): string {
  const notice = text.lastIndexOf('\n') + 1;
  const isNotice = text.startsWith('[ctx: ', notice) && !text.includes(' → ', notice);
  return isNotice ? addressedEnd(text, addressOf) : addressedLine(text, addressOf);
}

interface Addressing {
  readonly given: ReadonlySet<ContentBlock>;
  readonly addressOf: AddressOf;
}

/** The address at the end of what stands for an input. */
function addressedCall(block: ToolUseBlock, { addressOf }: Addressing): ToolUseBlock {
  const { input } = block;
  const text = typeof input === 'object' && input !== null && 'ctx' in input ? input.ctx : '';
  return typeof text === 'string' && text !== ''
    ? { ...block, input: { ctx: addressedEnd(text, addressOf) } }
    : block;
}

/** Results have the addresses of the caller from the beginning. */
function addressedBlock(block: ContentBlock, all: Addressing): ContentBlock {
  if (all.given.has(block)) return block;
  if (block.type === 'text') return { ...block, text: addressedText(block.text, all.addressOf) };
  return block.type === 'tool_use' ? addressedCall(block, all) : block;
}

function addressMessage(message: Message, all: Addressing): Message {
  const content = message.content.map((block) => addressedBlock(block, all));
  const isSame = content.every((block, index) => block === message.content[index]);
  return isSame ? message : { ...message, content };
}

/**
 * Names, in what a window put in the place of blocks, where the caller keeps the messages.
 * Blocks that were given come back as they are, whatever their text says.
 */
export function addressing(
  given: readonly Message[],
  addressOf: AddressOf,
): (message: Message) => Message {
  const blocks = new Set(given.flatMap(({ content }) => content));
  const all = { given: blocks, addressOf };
  return (message) => addressMessage(message, all);
}
