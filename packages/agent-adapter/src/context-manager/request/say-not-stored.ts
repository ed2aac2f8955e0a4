import type { ContentBlock, Message, ResultBlock } from '@ctx/core';

/** Stands for every address while a request is made without a store. */
export const noAddress = 'ctx://nowhere';

function saidOf(text: string): string {
  return text
    .replaceAll(`kept at ${noAddress}`, 'not stored')
    .replaceAll(`; also at ${noAddress}`, '')
    .replaceAll(`whole at ${noAddress}`, 'the whole is not stored')
    .replaceAll(noAddress, 'not stored');
}

type Block = ContentBlock | ResultBlock;

function* textsOf(blocks: readonly Block[]): Generator<string> {
  for (const block of blocks) {
    if (block.type === 'text') yield block.text;
    if (block.type === 'tool_result') yield* textsOf(block.content);
  }
}

function saidInBlock<Any extends Block>(block: Any, given: ReadonlySet<string>): Any {
  if (block.type === 'text') {
    return given.has(block.text) ? block : { ...block, text: saidOf(block.text) };
  }
  if (block.type === 'tool_result') {
    return { ...block, content: block.content.map((part) => saidInBlock(part, given)) };
  }
  const { input } = block.type === 'tool_use' ? block : { input: undefined };
  const stub = typeof input === 'object' && input !== null && 'ctx' in input ? input.ctx : '';
  return typeof stub === 'string' && stub.endsWith(noAddress)
    ? { ...block, input: { ctx: saidOf(stub) } }
    : block;
}

/** Says "not stored" in place of content that is not kept: an address would promise something that cannot be read. */
export function sayNotStored(messages: readonly Message[], given: readonly Message[]): Message[] {
  const texts = new Set(given.flatMap(({ content }) => [...textsOf(content)]));
  return messages.map((message) => ({
    ...message,
    content: message.content.map((block) => saidInBlock(block, texts)),
  }));
}
