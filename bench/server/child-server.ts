import { fork } from 'node:child_process';
import { once } from 'node:events';

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

/** A server in a process of its own. */
export interface ChildServer extends Listening {
  taken(): Promise<Taken>;
  /** Microseconds of the processor, of all its threads, with no collection: one throws away what was compiled, too. */
  cpu(): Promise<number>;
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

/** Tells the parent where this process listens, and answers it until it says stop. */
export function answerParent(listening: Listening, stop: () => Promise<void>): void {
  process.on('message', (message) => {
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
