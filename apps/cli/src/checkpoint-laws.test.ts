import { join } from 'node:path';
import { type ContextStore, openStore } from '@ctx/store';
import { createMemoryPlace, memoryBackend, type StoreBackend } from '@ctx/store/backend';
import { fsBackend } from '@ctx/store-fs';
import { sqliteBackend } from '@ctx/store-sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeFolder } from './test-support/sample-transcripts.ts';

const hour = 3_600_000;
/** What `npm test` tries of what the campaign does. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.25;

/** Opens the same store again and again. */
type Opener = () => StoreBackend;

const kinds: readonly (readonly [string, number, () => Opener])[] = [
  [
    'memory',
    100,
    () => {
      const place = createMemoryPlace();
      return () => memoryBackend({ place });
    },
  ],
  [
    'fs',
    8,
    () => {
      const path = join(makeFolder(), 'store');
      return () => fsBackend({ path });
    },
  ],
  [
    'sqlite',
    15,
    () => {
      const path = join(makeFolder(), 'ctx.db');
      return () => sqliteBackend({ path });
    },
  ],
];

interface Action {
  readonly act: 'save' | 'touch' | 'pin' | 'unpin' | 'archive' | 'unarchive' | 'finish' | 'delete';
  readonly id: string;
  readonly content: string;
  readonly kind: string;
  readonly wait: number;
}

const action: fc.Arbitrary<Action> = fc.record({
  act: fc.constantFrom(
    ...([
      'save',
      'save',
      'touch',
      'pin',
      'unpin',
      'archive',
      'unarchive',
      'finish',
      'delete',
    ] as const),
  ),
  id: fc.constantFrom('a', 'b', 'c', '__proto__', 'Straße ☂'),
  content: fc.constantFrom('one', 'two', 'three', '\ud800'),
  kind: fc.constantFrom('TASK', 'ERROR'),
  wait: fc.constantFrom(-1, 0, 1, hour, 20 * hour),
});

const actions = fc.array(action, { maxLength: 10 });

async function run(store: ContextStore, given: readonly Action[], clock: { now: number }) {
  for (const { act, id, content, kind, wait } of given) {
    clock.now += wait;
    if (act === 'save') await store.items.save({ agentId: 'agent', id, kind, content });
    else if (act === 'delete') await store.items.delete('agent', id);
    else if ((await store.items.get('agent', id, { peek: true })) !== undefined) {
      await store.items[act]('agent', id);
    }
  }
}

/** What is in mind, as it would be loaded: everything but the moments of changes. */
async function workingSet(store: ContextStore): Promise<unknown[]> {
  const { entries } = await store.items.list('agent', { limit: 1000 });
  return entries.map(({ updatedAt: _updated, rankedAt: _ranked, ...item }) => item);
}

describe.each(kinds)('the working set on %s', (_name, numRuns, makeOpener) => {
  it('is after a restart, and after a restore, what it was', async () => {
    await fc.assert(
      fc.asyncProperty(actions, actions, async (first, second) => {
        const open = makeOpener();
        const clock = { now: Date.UTC(2026, 0, 1) };
        const options = { clock: () => clock.now };
        const before = await openStore(open(), options);
        await run(before, first, clock);
        await before.items.save({ agentId: 'agent', id: 'z', kind: 'TASK', content: 'last' });
        const { checkpointId = '' } = await before.checkpoints.flashSave({ agentId: 'agent' });
        const saved = await workingSet(before);
        await before.close();

        const after = await openStore(open(), options);
        expect(await workingSet(after)).toEqual(saved);
        await run(after, second, clock);
        const later = await workingSet(after);
        const { undo, items } = await after.checkpoints.restore(checkpointId);
        expect(items.missing).toEqual([]);
        expect(await workingSet(after)).toEqual(saved);
        if (undo !== undefined) await after.checkpoints.restore(undo.id);
        expect(await workingSet(after)).toEqual(undo === undefined ? saved : later);
        await after.close();
      }),
      { numRuns: Math.ceil(numRuns * share) },
    );
  });
});
