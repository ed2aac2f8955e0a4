import type { ContentBlock, Message } from '@ctx/core';

/** A message, and which of the given ones it stands for. */
export interface PlacedMessage {
  readonly message: Message;
  /** Index of the given message; a notice bears that of the message before it. */
  readonly place: number;
}

/** Knows of which given message a block was. */
interface Places {
  readonly blocks: ReadonlyMap<ContentBlock, number>;
  readonly calls: ReadonlyMap<string, number>;
  readonly results: ReadonlyMap<string, number>;
  /** Places of the results that are kept at an address, in order. */
  readonly pointers: ReadonlyMap<string, readonly number[]>;
}

/** The address of a result in the line that stands for a call. */
const address = / → (\S+)\]/;

function placesOf(given: readonly Message[], pointers: Readonly<Record<string, string>>): Places {
  const blocks = new Map<ContentBlock, number>();
  const calls = new Map<string, number>();
  const results = new Map<string, number>();
  const kept = new Map<string, number[]>();
  for (const [place, { content }] of given.entries()) {
    for (const block of content) {
      blocks.set(block, place);
      if (block.type === 'tool_use') calls.set(block.id, place);
      if (block.type !== 'tool_result') continue;
      results.set(block.toolUseId, place);
      const id = block.toolUseId;
      const pointer = Object.hasOwn(pointers, id) ? pointers[id] : undefined;
      if (pointer !== undefined) kept.set(pointer, [...(kept.get(pointer) ?? []), place]);
    }
  }
  return { blocks, calls, results, pointers: kept };
}

function placeOfBlock(block: ContentBlock, places: Places, from: number): number | undefined {
  const same = places.blocks.get(block);
  if (same !== undefined) return same;
  if (block.type === 'tool_use') return places.calls.get(block.id);
  if (block.type === 'tool_result') return places.results.get(block.toolUseId);
  if (block.type !== 'text') return undefined;
  const line = block.text.slice(block.text.lastIndexOf(' → '));
  const pointer = address.exec(line)?.[1] ?? '';
  return places.pointers.get(pointer)?.find((place) => place >= from);
}

/**
 * Says for each message which given one it came from: by the blocks that are the same, by the calls and results in it, by
 * the addresses in its text, else the one before.
 * Pure; places never go back. Goes through the blocks of both lists.
 */
export function placeMessages(
  messages: readonly Message[],
  given: readonly Message[],
  pointers: Readonly<Record<string, string>>,
): PlacedMessage[] {
  const places = placesOf(given, pointers);
  let before = 0;
  return messages.map((message) => {
    const found = message.content.map((block) => placeOfBlock(block, places, before));
    const place = found.findLast((each) => each !== undefined && each >= before) ?? before;
    before = place;
    return { message, place };
  });
}
