import { applyEvent } from '../../window/apply-event.ts';
import type { WindowOptions } from '../../window/window.ts';
import { createWindowState, type WindowState } from '../../window/window-state.ts';
import { fillView } from '../view/fill-view.ts';
import type { SessionPlace } from './session-place.ts';
import type { MissingPart, ReadEvent } from './stored-event.ts';

/**
 * Makes the window that events lead to. Only those results are read that are in view then.
 * Byte for byte the view of that moment. Reads the results in view.
 */
export async function foldEvents(
  place: SessionPlace,
  events: Iterable<ReadEvent>,
  options: WindowOptions,
): Promise<WindowState> {
  const state = createWindowState(options);
  const missing: MissingPart[] = [];
  for (const { event, missing: parts } of events) {
    applyEvent(state, event);
    missing.push(...parts);
  }
  await fillView(place, state, missing);
  return state;
}
