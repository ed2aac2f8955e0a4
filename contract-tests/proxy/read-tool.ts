import { expect } from 'vitest';
import type { Body } from './apis/scripted-api.ts';
import { type ClientPlace, changedItems, lastHolds } from './real-client.ts';
import type { Turn } from './scripted-provider.ts';

/** A model that reads back twice with the tool of the proxy. `build`: a call that returns a long log. */
export function readBackScript(build: Turn): readonly Turn[] {
  const readBack =
    (grep: string): Turn =>
    (body) => {
      const [address = 'none'] = /ctx:\/\/outputs\/[\w-]+/.exec(JSON.stringify(body)) ?? [];
      return { tool: 'ctx_read', input: { address, grep } };
    };
  const turns = [build, readBack('step 150 '), readBack('step 1150 ')];
  return [...turns, { text: 'All chores are done.' }];
}

/** Runs the client with `--tool`: it knows nothing of the tool, and its model gets what it asked for. */
export async function expectReadBack(
  place: ClientPlace,
  prefixOf: (body: Body) => readonly string[],
): Promise<void> {
  const run = await place.runWithCtx(['--tool']);
  const { received, refused } = place.provider;
  expect([run.exitCode, refused]).toEqual([0, []]);
  expect(run.stdout).toContain('All chores are done.');
  expect(received).toHaveLength(4);
  expect(changedItems(received.map(({ body }) => prefixOf(body)))).toEqual([]);
  for (const text of ['step 150 of the build', 'step 1150 of the build', '"ctx_read"']) {
    expect(lastHolds(place, text)).toBe(true);
  }
  expect(lastHolds(place, 'step 200 of the build')).toBe(false);
  expect(JSON.stringify(received.at(-1)?.body)).not.toMatch(
    /No such tool|unsupported call|not found in registry|unavailable tool/,
  );
}
