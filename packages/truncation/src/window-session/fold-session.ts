import type { ContentBlock, ContextStore, ResultBlock } from '@ctx/core';
import { applyEvent } from '../window/apply-event.ts';
import { createWindowState, type WindowState } from '../window/window-state.ts';
import type { WindowOptions } from '../window/window.ts';
import { fillParts } from './fill-parts.ts';
import { eventsTo, type StoredLog } from './read-log.ts';
import type { MissingPart } from './stored-event.ts';

/** Where a log is, and whose it is. */
export interface SessionPlace {
  readonly store: ContextStore;
  readonly sessionId: string;
}

/** What a block shows that may have been left out of an event: the parts of a result, or a part that stands alone. */
function partsOf(block: ContentBlock): readonly (ResultBlock | ContentBlock)[] {
  return block.type === 'tool_result' ? block.content : [block];
}

/** What is in the view, and what waits to come into it. */
function partsInUse({ log, admission }: WindowState): Set<unknown> {
  const inUse = new Set<unknown>();
  for (const { block } of log.segments) {
    for (const part of block === undefined ? [] : partsOf(block)) inUse.add(part);
  }
  for (const { content } of admission.waiting) {
    for (const part of content.flatMap(partsOf)) inUse.add(part);
  }
  return inUse;
}

/**
 * Makes the window of a log as it was after the event `last`. Only those results are read that are in view then.
 * Contract: byte for byte the view of that moment. Cost: the events on the way there, and the results in view.
 */
export async function foldSession(
  { store, sessionId }: SessionPlace,
  log: StoredLog,
  options: { readonly window: WindowOptions; readonly last?: number },
): Promise<WindowState> {
  const state = createWindowState(options.window);
  const missing: MissingPart[] = [];
  for (const { event, missing: parts } of eventsTo(log, options.last)) {
    applyEvent(state, event);
    missing.push(...parts);
  }
  const inUse = partsInUse(state);
  const wanted = missing.filter(({ target }) => inUse.has(target));
  await fillParts(store, sessionId, wanted);
  return state;
}
