import type { ContentBlock, ResultBlock } from '@ctx/core';
import type { WindowState } from '../../window/window-state.ts';
import type { SessionPlace } from '../log/session-place.ts';
import type { MissingPart } from '../log/stored-event.ts';
import { fillParts } from './fill-parts.ts';

/** What a block shows that may have been left out of an event: the parts of a result, or a part that stands alone. */
function partsOf(block: ContentBlock): readonly (ResultBlock | ContentBlock)[] {
  return block.type === 'tool_result' ? block.content : [block];
}

/** What is in the view, and what waits to come into it: whether each has a number on every tenth line only. */
function partsInUse({ log, admission }: WindowState): Map<unknown, boolean> {
  const inUse = new Map<unknown, boolean>();
  for (const { block, form } of log.segments) {
    for (const part of block === undefined ? [] : partsOf(block)) inUse.set(part, form === 'thin');
  }
  for (const { content } of admission.waiting) {
    for (const part of content.flatMap(partsOf)) inUse.set(part, false);
  }
  return inUse;
}

/**
 * Reads the results that are in a view, which was made from a log without them, and puts them in their places. Gives the parts that it read.
 */
export async function fillView(
  place: SessionPlace,
  state: WindowState,
  missing: readonly MissingPart[],
): Promise<readonly MissingPart[]> {
  if (missing.length === 0) return [];
  const inUse = partsInUse(state);
  const wanted = missing.filter(({ target }) => inUse.has(target));
  await fillParts(place, wanted, ({ target }) => inUse.get(target) === true);
  return wanted;
}
