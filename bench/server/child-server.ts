import { fork } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What a server in a process of its own says once it listens. */
export interface Listening {
  readonly url: string;
  /** Text of a key; empty where none is needed. */
  readonly key: string;
}

/** Time of the processor and room that a process has taken. */
export interface Taken {
  /** Microseconds, of all its threads. */
  readonly cpu: number;
  readonly rss: number;
  /** Used by JavaScript, behind a collection where the process may ask for one. */
  readonly heap: number;
}

/** How long a turn of its loop came late since it was asked before, ms. */
export interface Lag {
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
}

/** A server in a process of its own. */
export interface ChildServer extends Listening {
  taken(): Promise<Taken>;
  /** Microseconds of the processor, of all its threads, with no collection: one throws away what was compiled, too. */
  cpu(): Promise<number>;
  lag(): Promise<Lag>;
  stop(): Promise<void>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
}

function isListening(value: unknown): value is Listening {
  return typeof value === 'object' && value !== null && 'url' in value && 'key' in value;
}

function isTaken(value: unknown): value is Taken {
  return typeof value === 'object' && value !== null && 'cpu' in value && 'heap' in value;
}

function isLag(value: unknown): value is Lag {
  return typeof value === 'object' && value !== null && 'p99' in value;
}

/** Starts `program`, which calls {@link answerParent}. `profile`: folder that gets its CPU profile. */
export async function startChild(
  program: string,
  { args, profile }: { readonly args: readonly string[]; readonly profile?: string | undefined },
): Promise<ChildServer> {
  const profiling =
    profile === undefined
      ? []
      : ['--cpu-prof', '--cpu-prof-interval=500', `--cpu-prof-dir=${profile}`];
  const child = fork(program, [...args], { execArgv: ['--expose-gc', ...profiling] });
  const answer = (): Promise<unknown> =>
    new Promise((resolve) => {
      child.once('message', resolve);
    });
  const first = await answer();
  if (!isListening(first)) throw new Error(`${program} does not listen`);
  return {
    ...first,
    taken: async () => {
      child.send('taken');
      const taken = await answer();
      if (isTaken(taken)) return taken;
      throw new Error(`${program} does not say what it has taken`);
    },
    cpu: async () => {
      child.send('cpu');
      const taken = await answer();
      if (typeof taken === 'number') return taken;
      throw new Error(`${program} does not say what time it has taken`);
    },
    lag: async () => {
      child.send('lag');
      const lag = await answer();
      if (isLag(lag)) return lag;
      throw new Error(`${program} does not say how late it is`);
    },
    stop: async () => {
      const gone = once(child, 'exit');
      child.send('stop');
      await gone;
    },
    kill: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function cpuTaken(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

const lagResolutionMs = 5;

/** Measures the loop from now on. */
function lagMeter(): () => Lag {
  const delay = monitorEventLoopDelay({ resolution: lagResolutionMs });
  delay.enable();
  const late = (nanoseconds: number): number =>
    Math.max(0, nanoseconds / 1_000_000 - lagResolutionMs);
  return () => {
    const [p50, p99] = [late(delay.percentile(50)), late(delay.percentile(99))];
    const most = late(delay.max);
    delay.reset();
    return { p50, p99, most };
  };
}

/** Tells the parent where this process listens, and answers it until it says stop. */
export function answerParent(listening: Listening, stop: () => Promise<void>): void {
  const lag = lagMeter();
  process.on('message', (message) => {
    if (message === 'lag') {
      process.send?.(lag());
      return;
    }
    if (message === 'cpu') {
      process.send?.(cpuTaken());
      return;
    }
    if (message === 'taken') {
      globalThis.gc?.();
      const { rss, heapUsed } = process.memoryUsage();
      process.send?.({ cpu: cpuTaken(), rss, heap: heapUsed });
      return;
    }
    void stop().finally(() => {
      process.disconnect();
    });
  });
  process.send?.(listening);
}
