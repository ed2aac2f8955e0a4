import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Calls that change the disk, or need it to. */
const names = [
  'openSync',
  'writeSync',
  'fstatSync',
  'ftruncateSync',
  'closeSync',
  'mkdirSync',
  'linkSync',
  'renameSync',
  'unlinkSync',
  'fsync',
] as const;

type CallName = (typeof names)[number];

/** Counts the calls that change the disk and does `act` in the place of the one whose number it wants. */
export interface CallWatch {
  /** Calls so far. */
  count(): number;
  stop(): void;
}

/**
 * Watches the file system's calls in this process. `act` is run before each call with its number, from 1, its name and what it is given; what
 * it throws is thrown by the call.
 */
export function watchCalls(
  act: (count: number, name: CallName, given: readonly unknown[]) => void,
): CallWatch {
  let count = 0;
  const table = fs as unknown as Record<string, (...given: unknown[]) => unknown>;
  const before = new Map(names.map((name) => [name, table[name]]));
  for (const name of names) {
    table[name] = (...given) => {
      const original = before.get(name);
      count++;
      try {
        act(count, name, given);
      } catch (error) {
        if (name !== 'fsync') throw error;
        const callback = given.at(-1) as (error: unknown) => void;
        setImmediate(() => {
          callback(error);
        });
        return undefined;
      }
      return original?.apply(fs, given);
    };
  }
  syncBuiltinESMExports();
  return {
    count: () => count,
    stop() {
      for (const [name, original] of before) if (original !== undefined) table[name] = original;
      syncBuiltinESMExports();
    },
  };
}

/** The error that the operating system gives. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code });
}
