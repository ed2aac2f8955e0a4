import { applyEvent } from '../../window/apply-event.ts';
import type { WindowOptions } from '../../window/window.ts';
import { createWindowState, type WindowState } from '../../window/window-state.ts';
import { fillView } from '../view/fill-view.ts';
import { eventsTo, type StoredLog } from './read-log.ts';
import type { SessionPlace } from './session-place.ts';
import type { MissingPart } from './stored-event.ts';

/**
 * Makes the window of a log as it was after the event `last`. Only those results are read that are in view then.
 * Byte for byte the view of that moment. Reads the events on the way there, and the results in view.
 */
export async function foldSession(
  place: SessionPlace,
  log: StoredLog,
  options: { readonly window: WindowOptions; readonly last?: number },
): Promise<WindowState> {
  const state = createWindowState(options.window);
  const missing: MissingPart[] = [];
  for (const { event, missing: parts } of eventsTo(log, options.last)) {
    applyEvent(state, event);
    missing.push(...parts);
  }
  await fillView(place, state, missing);
  return state;
}
