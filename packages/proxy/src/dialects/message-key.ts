import type { ContentBlock, Message, ResultBlock } from '@ctx/core';
import { fingerprint } from '@ctx/core/encoding';

type AnyBlock = ContentBlock | ResultBlock;

/** A block without what no model sees. */
function seen(block: AnyBlock): unknown {
  const { extra: _extra, ...rest } = block;
  return rest.type === 'tool_result' ? { ...rest, content: rest.content.map(seen) } : rest;
}

/** Hash of what a block says to a model, 64 bits in hexadecimal. */
export function keyOfBlock(block: AnyBlock): string {
  return fingerprint(seen(block)).slice(0, 16);
}

/** Hash of what a message says to a model, 64 bits in hexadecimal. */
export function keyOfMessage({ role, content }: Message): string {
  return fingerprint([role, content.map(seen)]).slice(0, 16);
}
