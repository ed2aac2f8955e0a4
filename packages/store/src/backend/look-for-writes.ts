import type { WriteWatch } from './store-backend.ts';

/** How often a mark is read while a reader waits, ms. */
const lookEveryMs = 10;
/** How often waiting readers are looked for while there are none, ms. */
const restMs = 50;

/** What a backend without notifications looks with. */
export interface WriteLook {
  /** Absent: no reader waits, and nothing is read. */
  readonly watch: WriteWatch | undefined;
  /** Returns a text that changes with every commit of others. Cheap: it is called a hundred times a second while a reader waits. */
  readonly readMark: () => Promise<string>;
}

/**
 * Lets a backend keep the promise of `supports.watch` by reading a mark while a reader waits. Returns a function that stops it.
 * Never rejects; what is committed after it has resolved is told; a mark that cannot be read now is read again.
 * Reads the mark every 10 ms while a reader waits, else never. The timer keeps no process alive.
 */
export async function lookForWrites({ watch, readMark }: WriteLook): Promise<() => void> {
  if (watch === undefined) return () => undefined;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = await readMark().catch(() => '');
  const look = async (): Promise<void> => {
    const mark = await readMark();
    const isOther = mark !== last;
    last = mark;
    if (isOther && !isStopped) watch.onWrite();
  };
  const rest = (): void => {
    if (isStopped) return;
    timer = setTimeout(next, watch.isOn() ? lookEveryMs : restMs);
    // In a browser it is a number, and there is no process to be kept alive.
    if (typeof timer === 'object') timer.unref();
  };
  const next = (): void => {
    if (watch.isOn()) look().then(rest, rest);
    else rest();
  };
  rest();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
