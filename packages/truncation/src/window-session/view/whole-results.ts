import type { ContentBlock, Message, ResultBlock, ToolOutput } from '@ctx/core';
import { outputText } from '@ctx/core/encoding';
import { outputIdOf, pointerUri } from '../../insert/pointer-uri.ts';
import type { Admission } from '../../window/admit.ts';
import { takePointer } from '../../window/log/result-pointers.ts';
import { originsOf } from '../log/fork-session.ts';
import type { SessionPlace } from '../log/session-place.ts';

/** Where the results in a message are kept, by the place of their block. */
export type PointersOfMessage = ReadonlyMap<number, string>;

/** Takes the addresses of the results in a message from those that wait for theirs. */
export function takePointers(
  { content }: Message,
  kept: Map<string, string>,
  admission: Admission,
): PointersOfMessage {
  const pointers = new Map<number, string>();
  for (const [place, block] of content.entries()) {
    if (block.type !== 'tool_result') continue;
    const pointer = takePointer(kept, admission.givenId(block.toolUseId));
    if (pointer !== undefined) pointers.set(place, pointer);
  }
  return pointers;
}

function isBlock(value: unknown): value is ResultBlock {
  if (typeof value !== 'object' || value === null) return false;
  const { type, text, format } = value as Readonly<Record<string, unknown>>;
  return type === 'text'
    ? typeof text === 'string'
    : type === 'opaque' && typeof format === 'string';
}

/** The blocks of a stored result: its own, where it was kept as blocks, else its text. */
export function blocksOfResult(result: unknown): readonly ResultBlock[] {
  if (Array.isArray(result) && result.length > 0 && result.every(isBlock)) return result;
  return [{ type: 'text', text: outputText(result) }];
}

async function findOutput(
  { store, sessionId }: SessionPlace,
  pointer: string,
): Promise<ToolOutput | undefined> {
  if (!pointer.startsWith(pointerUri(''))) return undefined;
  const id = outputIdOf(pointer);
  const own = await store.outputs.load({ id, sessionId });
  if (own !== undefined) return own;
  for (const origin of await originsOf(store, sessionId)) {
    const output = await store.outputs.load({ id, sessionId: origin });
    if (output !== undefined) return output;
  }
  return undefined;
}

/**
 * Puts whole results in the place of previews. A result that is not stored, or was deleted, stays as the log has it.
 *
 * Costs one read for each result.
 */
export async function withWholeResults(
  place: SessionPlace,
  message: Message,
  pointers: PointersOfMessage,
): Promise<Message> {
  if (pointers.size === 0) return message;
  const content: ContentBlock[] = [...message.content];
  for (const [at, pointer] of pointers) {
    const block = content[at];
    const output = block?.type === 'tool_result' ? await findOutput(place, pointer) : undefined;
    if (block?.type !== 'tool_result' || output === undefined) continue;
    content[at] = { ...block, content: blocksOfResult(output.result) };
  }
  return { ...message, content };
}
