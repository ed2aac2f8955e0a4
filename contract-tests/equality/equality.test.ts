import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import type { Prepared } from '../../packages/agent-adapter/src/context-manager/request/prepared.ts';
import { callsOfStep, logOfStep } from '../agent-scenario.ts';
import { waysToTry } from '../ways-to-try.ts';
import { hostLoops, type Step, smallManager } from './host-loops.ts';

/** So many that the window is flushed more than twice. */
const steps = 100;

function stepOf(step: number): Step {
  const calls = callsOfStep(step);
  const texts = calls.map(({ name, input }) => {
    if (name === 'fail') return 'Error: this tool fails';
    return name === 'add' ? JSON.stringify({ sum: input.step + 1 }) : logOfStep(input.step);
  });
  return { calls, texts };
}

/** What a request looks like without the names that every store gives anew, and without what a codec keeps for itself. */
function plain(value: unknown): unknown {
  const text = JSON.stringify(value, (key, member: unknown) =>
    key === 'extra' ? undefined : member,
  );
  return JSON.parse(text.replaceAll(/ctx:\/\/[\w/-]+/g, 'ctx://one'));
}

/** What one way to the manager led to. */
async function planOf(host: keyof typeof hostLoops) {
  let now = 0;
  const store = await openStore(memoryBackend(), { clock: () => now });
  const manager = smallManager(store);
  const flushes: unknown[] = [];
  const sizes: number[] = [];
  const requests: Prepared['receipt'][] = [];
  manager.on('flushed', ({ beforeTokens, afterTokens, ...flush }) => {
    // Hosts say the system prompt in other forms: a few tokens more or less.
    sizes.push(beforeTokens, afterTokens);
    flushes.push(plain(flush));
  });
  manager.on('prepared', (receipt) => requests.push(receipt));
  const loop = hostLoops[host]?.(manager);
  for (let step = 1; step <= steps; step += 1) {
    loop?.take(stepOf(step));
    now += 1000;
    await loop?.prepare();
  }
  const segments = (await manager.why()).map(({ pointer: _pointer, ...segment }) => segment);
  const inserted = requests.map((receipt) => receipt.inserted);
  const degraded = requests.filter((receipt) => receipt.degraded !== undefined);
  const compactions = requests.flatMap((receipt, at) => (receipt.compaction ? [at] : []));
  await manager.end();
  await store.close();
  return { plan: { segments: plain(segments), flushes, inserted, compactions, degraded }, sizes };
}

const { plan: expected, sizes: expectedSizes } = await planOf('manager');

/** How many tokens a host's form of the system prompt may add. */
const formTokens = 4;

describe('the same history through', () => {
  it('the manager alone leads to segments that left, in more than one way', () => {
    const segments = expected.segments as { readonly form: string }[];
    expect(new Set(segments.map(({ form }) => form)).size).toBeGreaterThan(2);
    expect(expected.flushes.length).toBeGreaterThan(2);
    expect(expected.degraded).toEqual([]);
  });

  it.each(waysToTry(Object.keys(hostLoops).slice(1)))(
    '%s leads to the same plan, request by request',
    async (host) => {
      const { plan, sizes } = await planOf(host);
      expect(plan).toEqual(expected);
      for (const [at, size] of sizes.entries()) {
        expect(Math.abs(size - (expectedSizes[at] ?? 0))).toBeLessThanOrEqual(formTokens);
      }
    },
  );
});
