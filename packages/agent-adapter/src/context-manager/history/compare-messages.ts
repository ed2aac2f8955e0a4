import type { ContentBlock, Message, ResultBlock } from '@ctx/core';
import { fingerprint } from '@ctx/core/encoding';

type AnyBlock = ContentBlock | ResultBlock;

/** A block without what models never see. */
function seen(block: AnyBlock): unknown {
  const { extra: _extra, ...rest } = block;
  return rest.type === 'tool_result' ? { ...rest, content: rest.content.map(seen) } : rest;
}

/**
 * What a message says to a model, in 16 signs (64 bits).
 * Equal role and blocks give equal signs, whatever `extra` holds. Makes one pass over the message.
 */
export function keyOfMessage({ role, content }: Message): string {
  return fingerprint([role, content.map(seen)]).slice(0, 16);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Nesting deeper than this is compared by fingerprint instead: no input may overflow the stack. */
const maxDepth = 50;

/** Whether two plain values are the same. Costs nothing for strings and objects that are the same instance. */
export function isSameValue(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true;
  if (!isRecord(a) || !isRecord(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  if (depth >= maxDepth) return fingerprint(a) === fingerprint(b);
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isSameValue(a[key], b[key], depth + 1));
}

function isSameBlock(a: AnyBlock, b: AnyBlock): boolean {
  return a === b || isSameValue(seen(a), seen(b));
}

/**
 * Whether two messages say the same to a model.
 * Goes through their blocks; long texts cost nothing where both hold the same string, as hosts do that convert one history again.
 */
export function isSameMessage(a: Message, b: Message): boolean {
  if (a === b) return true;
  if (a.role !== b.role || a.content.length !== b.content.length) return false;
  return a.content.every((block, index) => {
    const other = b.content[index];
    return other !== undefined && isSameBlock(block, other);
  });
}

/** Number of blocks that `longer` begins with if it goes on from `shorter`; `undefined` if it does not. */
export function grownFrom(shorter: Message, longer: Message): number | undefined {
  const { length } = shorter.content;
  if (shorter.role !== longer.role || longer.content.length <= length) return undefined;
  return isSameMessage(shorter, { ...longer, content: longer.content.slice(0, length) })
    ? length
    : undefined;
}
