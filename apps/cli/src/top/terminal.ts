/** A terminal that is drawn on as a whole. */
export interface Terminal {
  readonly columns: () => number;
  readonly rows: () => number;
  /** Takes the screen; what was on it comes back with `leave`. */
  readonly enter: () => void;
  /** Gives the screen back, whatever happened. Safe to call twice. */
  readonly leave: () => void;
  readonly write: (text: string) => void;
  /** Called for each key and each change of the size. */
  readonly onInput: (listener: (input: { readonly key: string } | 'resized') => void) => void;
}

const enterScreen = '\u001b[?1049h\u001b[?25l\u001b[2J\u001b[H';
const leaveScreen = '\u001b[?25h\u001b[?1049l';

/** The terminal of this process; `undefined` where standard output or input is none. */
export function processTerminal(): Terminal | undefined {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY) return undefined;
  let isIn = false;
  const stops: (() => void)[] = [];
  const leave = (): void => {
    if (!isIn) return;
    isIn = false;
    for (const stop of stops.splice(0)) stop();
    stdin.setRawMode(false);
    stdin.pause();
    stdout.write(leaveScreen);
  };
  return {
    columns: () => (stdout.columns > 0 ? stdout.columns : 80),
    rows: () => (stdout.rows > 0 ? stdout.rows : 24),
    enter: () => {
      isIn = true;
      stdin.setRawMode(true);
      stdout.write(enterScreen);
      // Also if an uncaught error ends the process.
      process.once('exit', leave);
      stops.push(() => process.off('exit', leave));
    },
    leave,
    write: (text) => void stdout.write(text),
    onInput: (listener) => {
      const onKey = (bytes: Buffer): void => {
        listener({ key: bytes.toString('utf8') });
      };
      const onResize = (): void => {
        listener('resized');
      };
      stdin.on('data', onKey);
      stdout.on('resize', onResize);
      stdin.resume();
      stops.push(() => stdin.off('data', onKey));
      stops.push(() => stdout.off('resize', onResize));
    },
  };
}
