import type { CommandContext } from '../command-context.ts';
import { oneLine, visibleText } from './visible-text.ts';

/** A line on standard error that says how far the work is. Nothing is shown without a terminal. */
export interface Progress {
  readonly show: (text: string) => void;
  /** Takes the line away. */
  readonly clear: () => void;
}

/** Fastest that the line changes, ms. */
const everyMs = 100;

/** Starts a progress line. It is drawn on a terminal only, so pipes and logs stay clean. */
export function startProgress({ host }: Pick<CommandContext, 'host'>): Progress {
  const { err } = host;
  if (!err.isTty) return { show: () => undefined, clear: () => undefined };
  let shownAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  return {
    show: (text) => {
      const now = performance.now();
      if (now - shownAt < everyMs) return;
      shownAt = now;
      isShown = true;
      void err.write(`\r\u001b[2K${oneLine(visibleText(text), err.columns - 1)}`);
    },
    clear: () => {
      if (isShown) void err.write('\r\u001b[2K');
      isShown = false;
    },
  };
}
