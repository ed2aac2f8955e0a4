import assert from 'node:assert/strict';
import { deleteThing, patchThing, putThing } from '../../case-collections.ts';
import {
  getThing,
  numbered,
  rejectsWith,
  scanIds,
  searchIds,
  tallyThings,
  versionOf,
} from '../../case-support.ts';
import { type ConformanceCase, caseGroup } from '../../conformance-case.ts';
import { increment, wins } from '../writes/concurrency-cases.ts';

export const sharingCases: readonly ConformanceCase[] = caseGroup(
  'sharing',
  (add) => {
    add('shows each instance what the other wrote', async ({ open }) => {
      const [left, right] = [await open(), await open()];
      await left.write([putThing('a', { columns: { label: 'l' }, body: '{"n":1}' })]);
      assert.deepEqual(await getThing(right, 'a'), await getThing(left, 'a'));
      await right.write([patchThing('a', { label: 'r' }, { expectVersion: 1 })]);
      assert.equal((await getThing(left, 'a'))?.columns['label'], 'r');
      await left.write([deleteThing('a', { expectVersion: 2 })]);
      assert.equal(await getThing(right, 'a'), undefined);
    });
    add('shows what the other wrote in scans and tallies', async ({ open }) => {
      const [left, right] = [await open(), await open()];
      assert.deepEqual(await scanIds(right, { index: 'by_size' }), []);
      await left.write([1, 2, 3].map((size) => putThing(`a${size}`, { columns: { size } })));
      assert.deepEqual(await scanIds(right, { index: 'by_size' }), ['a1', 'a2', 'a3']);
      await left.write([deleteThing('a1'), patchThing('a2', { size: 9 })]);
      assert.deepEqual(await scanIds(right, { index: 'by_size' }), ['a3', 'a2']);
      const query = { index: 'by_size', range: { from: 0, to: 99 }, sums: ['size'] };
      assert.deepEqual(await tallyThings(right, query), [{ group: [], count: 2, sums: [12] }]);
    });
    add(
      'shows what the other wrote in searches',
      async ({ open }) => {
        const [left, right] = [await open(), await open()];
        await left.write([putThing('a', { words: { text: 'red' } })]);
        assert.deepEqual(await searchIds(right, ['red']), ['a']);
        await right.write([putThing('a', { words: { text: 'blue' } })]);
        assert.deepEqual(await searchIds(left, ['red']), []);
        assert.deepEqual(await searchIds(left, ['blue']), ['a']);
      },
      { needs: ['search'] },
    );
    add('refuses a version that the other instance has replaced', async ({ open }) => {
      const [left, right] = [await open(), await open()];
      await left.write([putThing('a')]);
      assert.equal(await versionOf(right, 'a'), 1);
      await left.write([putThing('a')]);
      const stale = putThing('a', { expectVersion: 1 });
      await rejectsWith('CTX_STORE_CONFLICT', () => right.write([stale]));
    });
    add('lets exactly one of two instances win, round by round', async ({ open }) => {
      const backends = [await open(), await open()];
      for (let version = 0; version < 15; version++) {
        const put = putThing('a', { expectVersion: version });
        const won = await Promise.all(backends.map((backend) => wins(backend.write([put]))));
        assert.equal(won.filter(Boolean).length, 1);
      }
    });
    add('loses no step of a counter that three instances count up', async ({ open }) => {
      const backends = [await open(), await open(), await open()];
      await Promise.all(
        backends.map(async (backend) => {
          for (let step = 0; step < 10; step++) await increment(backend, 'a');
        }),
      );
      for (const backend of backends) {
        assert.equal((await getThing(backend, 'a'))?.columns['amount'], 30);
      }
    });
    add('keeps what three instances write at once', async ({ open }) => {
      const backends = [await open(), await open(), await open()];
      const ids = numbered(60);
      await Promise.all(
        backends.flatMap((backend, turn) =>
          ids
            .filter((_, at) => at % backends.length === turn)
            .map((id) => backend.write([putThing(id)])),
        ),
      );
      for (const backend of backends) assert.deepEqual(await scanIds(backend), ids);
    });
    add('works on in one instance when the other has closed', async ({ open }) => {
      const [left, right] = [await open(), await open()];
      await left.write([putThing('a')]);
      await left.close();
      await right.write([putThing('b')]);
      assert.deepEqual(await scanIds(right), ['a', 'b']);
    });
    add('opens from two instances at once', async ({ open }) => {
      const [left, right] = await Promise.all([open(), open()]);
      await Promise.all([left.write([putThing('a')]), right.write([putThing('b')])]);
      assert.deepEqual(await scanIds(left), ['a', 'b']);
    });
  },
  { needs: ['sharedBetweenProcesses'] },
);
