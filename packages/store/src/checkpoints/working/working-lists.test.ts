import { sequenceIds, tierOf } from '@ctx/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryPlace, memoryBackend } from '../../backend/memory/memory-backend.ts';
import type { StoreBackend } from '../../backend/store-backend.ts';
import { applyFlashSave } from '../../flash-save/flash-save.ts';
import { flashSavePolicy } from '../../flash-save/flash-save-policy.ts';
import { planFlashSave } from '../../flash-save/plan-flash-save.ts';
import type { ItemInput } from '../../items/save/draft-item.ts';
import { openStore } from '../../open-store.ts';
import { partsAround, workingItems } from './working-items.ts';
import { partItems, partsOfItems } from './working-part.ts';

/** What `npm test` tries of what the campaign does. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.2;

const start = Date.UTC(2026, 0, 1);
const hour = 3_600_000;

/** The memory backend as one that offers no lists. */
function withoutLists(): StoreBackend {
  const inner = memoryBackend({ place: createMemoryPlace() });
  const scan: StoreBackend['scan'] = (query) => ({
    [Symbol.asyncIterator]: () => inner.scan(query)[Symbol.asyncIterator](),
  });
  return { ...inner, scan };
}

async function opened(backend: StoreBackend) {
  const clock = { now: start };
  const store = await openStore(backend, { clock: () => clock.now, ids: sequenceIds() });
  return { store, clock };
}

type Opened = Awaited<ReturnType<typeof opened>>;

interface Step {
  readonly id: string;
  readonly does: 'save' | 'touch' | 'pin' | 'finish';
  readonly kind: string;
  readonly more: Partial<ItemInput>;
  readonly later: number;
}

const more = fc.record(
  {
    importance: fc.double({ min: 0, max: 1, noNaN: true }),
    sessionId: fc.constantFrom('s', 't'),
    source: fc.constantFrom('user', 'Bash', 'a "quoted" file'),
  },
  { requiredKeys: [] },
);

const step: fc.Arbitrary<Step> = fc.record({
  // A lone surrogate and the sign by which stores keep it.
  id: fc.constantFrom('a', 'b', 'c', 'd', '\ud800 e', '\u241b', 'f"\n'),
  does: fc.constantFrom('save', 'save', 'touch', 'pin', 'finish'),
  kind: fc.constantFrom('TASK', 'CODE', 'PRD_SECTION', 'own\ud800'),
  more,
  later: fc.integer({ min: 0, max: 30 * hour }),
});

async function take({ store, clock }: Opened, steps: readonly Step[]): Promise<void> {
  for (const { id, does, kind, more: given, later } of steps) {
    if (does === 'save') {
      await store.items.save({ agentId: 'agent', id, kind, content: `${id} ${kind}`, ...given });
    } else if ((await store.items.get('agent', id, { peek: true })) !== undefined) {
      await store.items[does]('agent', id);
    }
    clock.now += later;
  }
}

async function savedBy({ store }: Opened) {
  const state = await store.checkpoints.read({ agentId: 'agent' });
  const before = state.items.list();
  const plan = planFlashSave(state, flashSavePolicy({ hotTokens: 20 }));
  const receipt = await applyFlashSave(store.checkpoints, plan);
  const manifest = await store.checkpoints.manifest(receipt.checkpointId ?? '');
  return { before, state, receipt, manifest };
}

describe('the items of a checkpoint', () => {
  it('are the same whether the store gives them as lists or one by one, and as the items are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const listed = await opened(memoryBackend({ place: createMemoryPlace() }));
        const plain = await opened(withoutLists());
        for (const one of [listed, plain]) await take(one, steps);
        if ((await listed.store.items.stats('agent')).items === 0) return;
        const [first, second] = [await savedBy(listed), await savedBy(plain)];
        expect(second.receipt).toEqual(first.receipt);
        expect(second.manifest).toEqual(first.manifest);
        expect(second.before).toEqual(first.before);
        const { now, agentNow, policy } = first.state;
        const expected = first.before.map(({ item: { agentId: _agent, ...item } }) => {
          const tier = tierOf(item.rank, agentNow, policy);
          return { ...item, tier, ...(tier === 'cold' ? { archived: true, rankedAt: now } : {}) };
        });
        expect(first.manifest).toEqual(expected);
        expect(await listed.store.items.list('agent')).toEqual(
          await plain.store.items.list('agent'),
        );
      }),
      { numRuns: 60 * share },
    );
  });

  it('are parted at every place, and lose none', async () => {
    const { store } = await opened(memoryBackend());
    const count = 2 * partItems + 5;
    const input = (at: number) => ({ agentId: 'agent', kind: 'TASK', content: `content ${at}` });
    await store.items.saveMany(Array.from({ length: count }, (_, at) => input(at)));
    const { items } = await store.checkpoints.read({ agentId: 'agent' });
    const all = items.list();
    expect(all).toHaveLength(count);
    for (const place of [0, 1, partItems - 1, partItems, partItems + 1, count - 1, count]) {
      const { before, behind } = partsAround(items.parts, place);
      const [first, rest] = [before, behind].map((parts) =>
        workingItems(
          'agent',
          parts.map(({ lists }) => lists),
        ),
      );
      expect(first?.list()).toEqual(all.slice(0, place));
      expect(rest?.list()).toEqual(all.slice(place));
      expect(rest?.ranks).toEqual(all.slice(place).map(({ item }) => item.rank));
      expect(items.ids(place)).toEqual(all.slice(0, place).map(({ item }) => item.id));
      expect(items.value(place, 'fingerprint')).toBe(all[place]?.item.fingerprint);
    }
    const again = workingItems(
      'agent',
      partsOfItems(all).map(({ lists }) => lists),
    );
    expect(again.list()).toEqual(all);
  });
});
