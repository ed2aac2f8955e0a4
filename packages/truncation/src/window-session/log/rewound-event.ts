import type { WindowEvent } from '../../window/window-event.ts';
import type { WindowState } from '../../window/window-state.ts';
import { changedFrom, isColdFrom } from './shared-prefix.ts';

/** The event of a rewind. */
export type RewoundEvent = Extract<WindowEvent, { readonly type: 'rewound' }>;

/** What a rewind from `before` to `state`, which is that of the event `to`, puts into the log. Goes through what both have in view. */
export function rewoundEvent(before: WindowState, state: WindowState, to: number): RewoundEvent {
  const first = changedFrom(before, state);
  // What both have in common was last used by the last request of all.
  const lastRequestAt = first === Infinity ? before.lastRequestAt : state.lastRequestAt;
  const { windowTokens, toldWindowTokens, fixedTokens, fixed, answerTokens, factor } = before;
  return {
    type: 'rewound',
    to,
    isCold: isColdFrom(state, first),
    changedFrom: first,
    ...(lastRequestAt === undefined ? {} : { lastRequestAt }),
    windowTokens,
    toldWindowTokens,
    fixedTokens,
    ...(fixed === undefined ? {} : { fixed }),
    ...(answerTokens === undefined ? {} : { answerTokens }),
    factor,
  };
}
