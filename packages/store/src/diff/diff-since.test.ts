import { sequenceIds } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryBackend } from '../backend/memory/memory-backend.ts';
import type { StoreBackend, StoredRecord } from '../backend/store-backend.ts';
import { type ContextStore, openStore } from '../open-store.ts';
import type { ItemDiff } from './item-diff.ts';
import { diffItemManifests } from './item-diff.ts';

/** What `npm test` tries of what the campaign does. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.2;

const start = Date.UTC(2026, 0, 1);
const hour = 3_600_000;

interface Opened {
  readonly store: ContextStore;
  readonly clock: { now: number };
  /** Records that scans have given and items that were read by their keys; values of items that lists have given. */
  readonly read: { records: number; values: number };
}

async function* countingRecords(scan: AsyncIterable<StoredRecord>, read: Opened['read']) {
  for await (const record of scan) {
    read.records += 1;
    yield record;
  }
}

/** A store in memory that counts what it reads. */
async function opened(): Promise<Opened> {
  const clock = { now: start };
  const read = { records: 0, values: 0 };
  const memory = memoryBackend();
  const backend: StoreBackend = {
    ...memory,
    get: (collection, keys, part) => {
      if (collection === 'items') read.records += keys.length;
      return memory.get(collection, keys, part);
    },
    scan: (query) => {
      const scan = memory.scan(query);
      const counted = countingRecords(scan, read);
      const { lists } = scan;
      if (lists === undefined) return counted;
      return Object.assign(counted, {
        lists: async (names: readonly string[], size: number) => {
          const parts = await lists(names, size);
          for (const { count } of parts ?? []) read.values += names.length * count;
          return parts;
        },
      });
    },
  };
  const store = await openStore(backend, {
    clock: () => clock.now,
    ids: sequenceIds(),
    importance: { pauseMs: Number.POSITIVE_INFINITY },
  });
  return { store, clock, read };
}

const save = (store: ContextStore, id: string, content: string, kind = 'TASK') =>
  store.items.save({ agentId: 'agent', kind, content, id });

async function checkpoint(store: ContextStore): Promise<string> {
  return (await store.checkpoints.flashSave({ agentId: 'agent' })).checkpointId ?? '';
}

const ids = ({ added, changed, moved, removed }: ItemDiff) => ({
  added: added.map(({ id }) => id).sort(),
  changed: changed.map(({ after }) => after.id).sort(),
  moved: moved.map(({ before, after }) => `${after.id} ${before.place} → ${after.place}`).sort(),
  removed: removed.map(({ id }) => id).sort(),
});

describe('diffSince', () => {
  it('tells what was added, changed, moved and removed since a checkpoint', async () => {
    const { store, clock } = await opened();
    for (const id of ['a', 'b', 'c', 'd', 'e']) await save(store, id, `content of ${id}`, 'ERROR');
    const id = await checkpoint(store);
    clock.now += hour;
    await save(store, 'new', 'new content');
    await save(store, 'a', 'other content of a', 'ERROR');
    await store.items.pin('agent', 'b');
    await store.items.archive('agent', 'c');
    await store.items.delete('agent', 'd');
    const diff = await store.checkpoints.diffSince({ checkpointId: id });
    expect(ids(diff)).toEqual({
      added: ['new'],
      changed: ['a'],
      moved: ['b warm → hot', 'c warm → archived'],
      removed: ['d'],
    });
    expect(diff).toMatchObject({ unchanged: 1, read: 'changes', agentId: 'agent' });
    const later = await checkpoint(store);
    const between = await store.checkpoints.diff(id, later);
    expect(ids(between)).toEqual({ ...ids(diff), moved: ['b warm → hot'], removed: ['c', 'd'] });
  });

  it('sees tiers fall as time passes, with nothing written', async () => {
    const { store, clock } = await opened();
    await save(store, 'a', 'x');
    const id = await checkpoint(store);
    clock.now += 10 * hour;
    expect(ids(await store.checkpoints.diffSince({ checkpointId: id })).moved).toEqual([
      'a hot → warm',
    ]);
    clock.now += 20 * hour;
    expect(ids(await store.checkpoints.diffSince({ checkpointId: id })).moved).toEqual([
      'a hot → cold',
    ]);
  });

  it('reads five values of each item saved in the very millisecond of the checkpoint, and one record of the checkpoint', async () => {
    const { store, read } = await opened();
    const items = Array.from({ length: 200 }, (_, at) => at);
    for (const at of items) await save(store, `i${String(at)}`, `content ${String(at)}`);
    const checkpointId = await checkpoint(store);
    await store.checkpoints.diffSince({ checkpointId });
    Object.assign(read, { records: 0, values: 0 });
    const diff = await store.checkpoints.diffSince({ checkpointId });
    expect(diff).toMatchObject({ unchanged: 200, read: 'changes' });
    expect(read).toEqual({ records: 1, values: 5 * 200 });
    await save(store, 'i7', 'other content');
    const after = await store.checkpoints.diffSince({ checkpointId });
    expect(ids(after)).toEqual({ added: [], changed: ['i7'], moved: [], removed: [] });
  });

  it('compares all items where a clock that was set back hides a change', async () => {
    const { store, clock } = await opened();
    await save(store, 'a', 'x');
    const id = await checkpoint(store);
    clock.now -= hour;
    await save(store, 'late', 'saved under an earlier time');
    const diff = await store.checkpoints.diffSince({ checkpointId: id });
    expect(diff.read).toBe('all');
    expect(ids(diff)).toMatchObject({ added: ['late'] });
  });

  it('reads no more than what changed', async () => {
    const { store, clock, read } = await opened();
    const inputs = Array.from({ length: 2000 }, (_, at) => ({
      agentId: 'agent',
      kind: 'TASK',
      id: `item ${String(at)}`,
      content: `content ${String(at)}`,
    }));
    await store.items.saveMany(inputs);
    clock.now += 60_000;
    const id = await checkpoint(store);
    await store.checkpoints.diffSince({ checkpointId: id });
    clock.now += 60_000;
    for (let at = 0; at < 20; at += 1) await save(store, `item ${String(at)}`, 'other');
    read.records = 0;
    const diff = await store.checkpoints.diffSince({ checkpointId: id });
    expect(diff.changed).toHaveLength(20);
    // The checkpoint is one of them: its version says whether its manifest is still as it was read.
    expect(read.records).toBeLessThanOrEqual(61);
  });

  it('reads no item that was saved in the very millisecond of the checkpoint and stayed as it was', async () => {
    const { store, clock, read } = await opened();
    const inputs = Array.from({ length: 2000 }, (_, at) => ({
      agentId: 'agent',
      kind: 'TASK',
      id: `item ${String(at)}`,
      content: `content ${String(at)}`,
    }));
    await store.items.saveMany(inputs);
    const id = await checkpoint(store);
    await store.checkpoints.diffSince({ checkpointId: id });
    clock.now += 60_000;
    for (let at = 0; at < 20; at += 1) await save(store, `item ${String(at)}`, 'other');
    read.records = 0;
    const diff = await store.checkpoints.diffSince({ checkpointId: id });
    expect(diff.changed).toHaveLength(20);
    expect(read.records).toBeLessThanOrEqual(61);
  });

  it('sees what a restore moved back, by what changed alone', async () => {
    const { store, clock } = await opened();
    await save(store, 'a', 'x', 'ERROR');
    const before = await checkpoint(store);
    clock.now += 60_000;
    await store.items.pin('agent', 'a');
    clock.now += 60_000;
    const pinned = await checkpoint(store);
    clock.now += 60_000;
    await store.checkpoints.restore(before);
    const diff = await store.checkpoints.diffSince({ checkpointId: pinned });
    expect(ids(diff).moved).toEqual(['a hot → warm']);
    expect(diff.read).toBe('changes');
  });

  it('takes what was deleted and saved again for changed, not for removed', async () => {
    const { store, clock } = await opened();
    await save(store, 'a', 'x');
    await save(store, 'b', 'y');
    const id = await checkpoint(store);
    clock.now += 60_000;
    await store.items.delete('agent', 'a');
    await save(store, 'a', 'another');
    const diff = await store.checkpoints.diffSince({ checkpointId: id });
    expect(ids(diff)).toMatchObject({ added: [], changed: ['a'], removed: [] });
    expect(diff).toMatchObject({ unchanged: 1, read: 'changes' });
  });

  it('tells by times alone what changed since a moment', async () => {
    const { store, clock } = await opened();
    for (const id of ['a', 'b', 'c']) await save(store, id, `content of ${id}`);
    await checkpoint(store);
    clock.now += hour;
    const since = clock.now;
    await save(store, 'new', 'new content');
    await save(store, 'a', 'other');
    await store.items.touch('agent', 'b');
    await store.items.delete('agent', 'c');
    const changes = await store.checkpoints.changesSince('agent', since);
    expect(changes.added.map(({ id }) => id)).toEqual(['new']);
    expect(changes.changed.map(({ id }) => id)).toEqual(['a']);
    expect(changes.moved.map(({ id }) => id)).toEqual(['b']);
    expect(changes.removed.map(({ id }) => id)).toEqual(['c']);
  });

  it('refuses to compare checkpoints of two agents, and what is unknown', async () => {
    const { store } = await opened();
    await save(store, 'a', 'x');
    await store.items.save({ agentId: 'other', kind: 'TASK', content: 'y' });
    const [mine, other] = [
      await checkpoint(store),
      await store.checkpoints.flashSave({ agentId: 'other' }),
    ];
    await expect(store.checkpoints.diff(mine, other.checkpointId ?? '')).rejects.toMatchObject({
      code: 'CTX_INVALID_INPUT',
    });
    await expect(store.checkpoints.diffSince({ checkpointId: 'no' })).rejects.toMatchObject({
      code: 'CTX_NOT_FOUND',
    });
  });

  it('gives what a comparison of everything gives, whatever happened', async () => {
    const action = fc.record({
      kind: fc.constantFrom('save', 'touch', 'pin', 'unpin', 'archive', 'unarchive', 'delete'),
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      content: fc.constantFrom('one', 'two', 'three'),
      wait: fc.constantFrom(0, 1, 500, hour, 9 * hour),
    });
    const run = async (
      given: readonly (typeof action extends fc.Arbitrary<infer T> ? T : never)[],
      { store, clock }: Opened,
    ) => {
      for (const { kind, id, content, wait } of given) {
        clock.now += wait;
        if (kind === 'save') await save(store, id, content, 'ERROR');
        else if (kind === 'delete') await store.items.delete('agent', id);
        else if ((await store.items.get('agent', id, { peek: true })) !== undefined) {
          await store.items[kind as 'touch']('agent', id);
        }
      }
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { maxLength: 12 }),
        fc.array(action, { maxLength: 12 }),
        async (first, second) => {
          const all = await opened();
          await save(all.store, 'z', 'zero');
          await run(first, all);
          const id = await checkpoint(all.store);
          const before = await all.store.checkpoints.manifest(id);
          await run(second, all);
          const diff = await all.store.checkpoints.diffSince({ checkpointId: id });
          const known = new Set(before.map((item) => item.id));
          const now = [];
          for (const archived of [false, true]) {
            for await (const item of all.store.items.each('agent', { archived })) {
              if (archived && !known.has(item.id)) continue;
              now.push({ ...item, tier: all.store.items.explain(item).tier });
            }
          }
          expect(ids(diff)).toEqual(ids(diffItemManifests(before, now)));
        },
      ),
      { numRuns: 150 * share },
    );
  });
});
