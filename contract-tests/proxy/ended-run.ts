import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ClientPlace } from './real-client.ts';
import type { Turn } from './scripted-provider.ts';

/** How a run of a client is ended from outside. */
export const endings = ['SIGKILL', 'SIGTERM', 'SIGHUP'] as const;

/** A model whose command goes on for ever, beside a process that it gave another parent. */
export function endlessScript(shell: (command: string) => Turn): readonly Turn[] {
  return [shell('(setsid sleep 900 &); touch started; sleep 900'), { text: 'It ended.' }];
}

/** How many processes have the home of a place in their environment. */
function processesOf({ home }: ClientPlace): number {
  const isOf = (name: string): boolean => {
    try {
      return readFileSync(`/proc/${name}/environ`, 'latin1').includes(home.folder);
    } catch {
      return false; // It ended, or is another user's.
    }
  };
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isOf(name)).length;
}

/** Ends `ctx run` while its client works: everything that the client started ends, too. Where there is no /proc it looks for nothing. */
export async function expectEndsWhole(
  place: ClientPlace,
  signal: (typeof endings)[number],
): Promise<void> {
  if (!existsSync('/proc/self/environ')) return;
  let end = (): void => undefined;
  const run = place.runWithCtx([], undefined, {
    onStart: (kill) => {
      end = () => {
        kill(signal);
      };
    },
  });
  while (!existsSync(join(place.project, 'started'))) await wait(50);
  expect(processesOf(place)).toBeGreaterThan(3);
  end();
  await run;
  while (processesOf(place) > 0) await wait(50);
}
