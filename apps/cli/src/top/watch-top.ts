import { renderTop, type TopMoment } from './render-top.ts';
import type { Terminal } from './terminal.ts';

export interface WatchOptions {
  readonly terminal: Terminal;
  readonly read: () => Promise<TopMoment>;
  readonly everyMs: number;
  readonly hasColor: boolean;
  readonly signal: AbortSignal;
}

/** Ctrl-C in raw mode, Ctrl-D, and the letter. */
const quitKeys = new Set(['q', 'Q', '\u0003', '\u0004']);

const clearLine = '\u001b[K';
const wipeScreen = '\u001b[2J';

function frameOf({ terminal, hasColor }: WatchOptions, answer: TopMoment): string {
  const [columns, rows] = [terminal.columns(), terminal.rows()];
  const lines = renderTop(answer, { columns, rows: rows - 1, hasColor });
  const shown = [...lines, ...Array.from({ length: rows - 1 - lines.length }, () => '')];
  const foot = 'q ends'.slice(0, columns);
  // Line by line from the top, each cleared after its end: no flicker, and little to send over ssh.
  return `\u001b[H${[...shown, foot].map((line) => line + clearLine).join('\r\n')}`;
}

/** Waits for a time, a key or the end, whichever comes first. */
function pause(ms: number, wake: { current: () => void }): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    wake.current = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

/**
 * Shows a session until `q`, Ctrl-C or the signal. A frame is sent only where it differs from the one before.
 * The terminal is as it was afterwards, also where reading fails.
 */
export async function watchTop(options: WatchOptions): Promise<void> {
  const { terminal, signal, read, everyMs } = options;
  const state = { isOver: signal.aborted, isResized: false };
  const wake = { current: (): void => undefined };
  const end = (): void => {
    state.isOver = true;
    wake.current();
  };
  let last = '';
  terminal.enter();
  try {
    terminal.onInput((input) => {
      if (input === 'resized') {
        state.isResized = true;
        wake.current();
      } else if (quitKeys.has(input.key)) end();
    });
    signal.addEventListener('abort', end);
    while (!isOver(state)) {
      const answer = await read();
      const wipe = state.isResized ? wipeScreen : '';
      state.isResized = false;
      const frame = frameOf(options, answer);
      if (frame !== last || wipe !== '') terminal.write(wipe + frame);
      last = frame;
      // A key or a new size may have come while the frame was made.
      if (!isOver(state) && !isResized(state)) await pause(everyMs, wake);
    }
  } finally {
    signal.removeEventListener('abort', end);
    terminal.leave();
  }
}

interface WatchState {
  readonly isOver: boolean;
  readonly isResized: boolean;
}

/** Asked anew each time: listeners change it. */
function isOver(state: WatchState): boolean {
  return state.isOver;
}

function isResized(state: WatchState): boolean {
  return state.isResized;
}
