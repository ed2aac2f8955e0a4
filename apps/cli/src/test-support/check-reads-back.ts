import type { Message, ToolResultBlock } from '@ctx/core';
import { type ContextStore, readJsonPath } from '@ctx/store';
import type { fitConversation } from '@ctx/truncation';
import { outputIdOf } from '@ctx/truncation';
import { expect } from 'vitest';
import { fitPartsOf } from '../fit/fit-answer.ts';

const addresses = /ctx:\/\/outputs\/[A-Za-z0-9_-]+(?: \$\[(\d+)\](?: to \$\[(\d+)\])?)?/g;

/** What a command like `ctx read <pointer> --json-path <path>` reads. */
async function readWith(store: ContextStore, command: string): Promise<unknown> {
  const words = command.split(' ').map((word) => word.replaceAll("'", ''));
  const [, , pointer = '', flag, path = ''] = words;
  const output = await store.outputs.load({ id: outputIdOf(pointer) });
  if (flag !== '--json-path') return output?.result;
  return readJsonPath(output?.result, path).matches[0]?.value;
}

/** A tool result as the store keeps it: one plain text as a string, anything else as its blocks. */
function storedFormOf({ content }: ToolResultBlock): unknown {
  const [first] = content;
  if (first === undefined) return '';
  const isPlain = content.length === 1 && first.type === 'text' && first.extra === undefined;
  return isPlain ? first.text : content;
}

/** Reads every part that left by its command, and every address that stands in the fitted text but not in the given one. */
export async function checkReadsBack(
  store: ContextStore,
  given: readonly Message[],
  { messages, parts, kept }: Awaited<ReturnType<typeof fitConversation>>,
): Promise<void> {
  const where = { host: { env: {} }, messages: given, uri: kept.uri, store: 's' };
  for (const part of fitPartsOf(parts, where)) {
    if (part.form === 'whole') continue;
    const block = given[part.message]?.content[part.block];
    const found = await readWith(store, part.read);
    if (block?.type === 'text') expect(found).toBe(block.text);
    else if (block?.type === 'tool_use') expect(found).toEqual(block.input);
    else if (block?.type === 'tool_result') expect(found).toEqual(storedFormOf(block));
    else expect(found).toEqual(block);
  }
  const before = JSON.stringify(given);
  const after = JSON.stringify(messages);
  for (const [address, , last] of after.matchAll(addresses)) {
    const [uri = ''] = address.split(' ');
    if (before.includes(uri)) continue;
    const output = await store.outputs.load({ id: outputIdOf(uri) });
    expect(output, address).toBeDefined();
    if (last !== undefined) expect(output?.result).toHaveProperty([last]);
  }
  if (!before.includes('ctx://messages/')) expect(after).not.toContain('ctx://messages/');
}
