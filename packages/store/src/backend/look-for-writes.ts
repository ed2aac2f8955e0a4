import type { WriteWatch } from './store-backend.ts';

/** How often a mark is read while somebody waits, ms. */
const lookEveryMs = 10;
/** How often somebody is looked for while nobody waits, ms. */
const restMs = 50;

/** What a backend without notifications looks with. */
export interface WriteLook {
  /** Left out: nobody waits, and nothing is read. */
  readonly watch: WriteWatch | undefined;
  /** Something that is another after every commit of others. Cheap: it is read a hundred times a second while somebody waits. */
  readonly readMark: () => Promise<string>;
}

/**
 * Lets a backend keep the promise of `supports.watch` by looking at a mark while somebody waits. Returns how to stop that.
 * Never rejects; what is committed after it has resolved is told; a mark that cannot be read now is read again.
 * Reads the mark every 10 ms while somebody waits, else never. The timer keeps no process alive.
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
