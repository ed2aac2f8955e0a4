import assert from 'node:assert/strict';
import { isCtxError } from '@ctx/core';
import type { OpenOptions, PutOperation, StoredRecord } from '../../../backend/store-backend.ts';
import { deleteThing, patchThing, putThing, type ThingInput } from '../../case-collections.ts';
import { numbered, rejectsWith, searchIds, searchThings } from '../../case-support.ts';
import {
  type AddCase,
  type CaseHarness,
  type ConformanceCase,
  caseGroup,
} from '../../conformance-case.ts';

/** In these cases the words of a record are its body. */
const options: OpenOptions = {
  wordsOf: { things: ({ body }: StoredRecord) => JSON.parse(body) as Record<string, string> },
};

const openWith = ({ open }: CaseHarness) => open(undefined, options);

function putLater(
  id: string,
  words: Readonly<Record<string, string>>,
  input: ThingInput = {},
): PutOperation {
  return { ...putThing(id, { ...input, body: JSON.stringify(words) }), wordsLater: true };
}

function addFindCases(add: AddCase): void {
  add('finds words that were left for later, of every field', async (harness) => {
    const backend = await openWith(harness);
    await backend.write([putLater('a', { text: 'red' }), putLater('b', { title: 'red blue' })]);
    assert.deepEqual((await searchIds(backend, ['red'])).toSorted(), ['a', 'b']);
    assert.deepEqual(await searchIds(backend, ['blue']), ['b']);
  });
  add('finds them again, and those that came since', async (harness) => {
    const backend = await openWith(harness);
    for (const id of ['a', 'b', 'c']) {
      await backend.write([putLater(id, { text: `red only${id}` })]);
      assert.deepEqual(await searchIds(backend, [`only${id}`]), [id]);
    }
    assert.equal((await searchIds(backend, ['red'])).length, 3);
  });
  add('ranks them as words that were given at once', async (harness) => {
    const backend = await openWith(harness);
    const ids = numbered(90);
    const words = ids.map((_, at) => ({
      title: `t${at % 7}`,
      text: `red t${at % 5} `.repeat(at % 4),
    }));
    const given = ids.map((id, at) => putThing(id, { words: words[at] ?? {} }));
    await backend.write(given);
    for (const [at, id] of ids.entries()) {
      await backend.write([putLater(id, words[at] ?? {}, { tenant: 'u' })]);
    }
    for (const query of [['red'], ['t1', 't2'], ['t4', 'red']]) {
      const [now, later] = await Promise.all(
        ['t', 'u'].map((tenant) => searchThings(backend, query, { equal: [tenant] })),
      );
      const plain = (hits = now) => hits?.map(({ key, score }) => [key.slice(1), score]);
      assert.deepEqual(plain(later), plain(now));
    }
  });
  add('takes in hundreds that one write left for later', async (harness) => {
    const backend = await openWith(harness);
    const ids = numbered(300);
    await backend.write(ids.map((id) => putLater(id, { text: `common only${id}` })));
    assert.deepEqual(await searchIds(backend, ['onlya123']), ['a123']);
    assert.equal((await searchIds(backend, ['common'], { limit: 1000 })).length, 300);
  });
  add('takes in what searches at once ask for', async (harness) => {
    const backend = await openWith(harness);
    const ids = numbered(50);
    await Promise.all(ids.map((id) => backend.write([putLater(id, { text: `only${id}` })])));
    const found = await Promise.all(ids.map((id) => searchIds(backend, [`only${id}`])));
    assert.deepEqual(found.flat(), ids);
  });
}

function addChangeCases(add: AddCase): void {
  const replacements: Readonly<Record<string, PutOperation>> = {
    'words that are given': putThing('a', { words: { text: 'blue' } }),
    'words for later': putLater('a', { text: 'blue' }),
    'no words': putThing('a'),
  };
  for (const [what, put] of Object.entries(replacements)) {
    const expected = put === replacements['no words'] ? [] : ['a'];
    add(`forgets words that wait when the record is put anew with ${what}`, async (harness) => {
      const backend = await openWith(harness);
      await backend.write([putLater('a', { text: 'red' })]);
      await backend.write([put]);
      assert.deepEqual(await searchIds(backend, ['red']), []);
      assert.deepEqual(await searchIds(backend, ['blue']), expected);
    });
    add(
      `forgets words that came later when the record is put anew with ${what}`,
      async (harness) => {
        const backend = await openWith(harness);
        await backend.write([putLater('a', { text: 'red' })]);
        assert.deepEqual(await searchIds(backend, ['red']), ['a']);
        await backend.write([put]);
        assert.deepEqual(await searchIds(backend, ['red']), []);
        assert.deepEqual(await searchIds(backend, ['blue']), expected);
      },
    );
  }
  add('forgets given words when the record is put anew with words for later', async (harness) => {
    const backend = await openWith(harness);
    await backend.write([putThing('a', { words: { text: 'red' } })]);
    await backend.write([putLater('a', { text: 'blue' })]);
    assert.deepEqual(await searchIds(backend, ['red']), []);
    assert.deepEqual(await searchIds(backend, ['blue']), ['a']);
  });
  add('forgets the words of a deleted record, waiting or not', async (harness) => {
    const backend = await openWith(harness);
    await backend.write([putLater('a', { text: 'red' }), putLater('b', { text: 'red' })]);
    await backend.write([deleteThing('a')]);
    assert.deepEqual(await searchIds(backend, ['red']), ['b']);
    await backend.write([deleteThing('b')]);
    assert.deepEqual(await searchIds(backend, ['red']), []);
    await backend.write([putLater('b', { text: 'blue' })]);
    assert.deepEqual(await searchIds(backend, ['red']), []);
    assert.deepEqual(await searchIds(backend, ['blue']), ['b']);
  });
  add('keeps the words of a patched record, waiting or not', async (harness) => {
    const backend = await openWith(harness);
    await backend.write([putLater('a', { text: 'red' })]);
    await backend.write([patchThing('a', { size: 1 })]);
    assert.deepEqual(await searchIds(backend, ['red']), ['a']);
    await backend.write([patchThing('a', { size: 2 })]);
    assert.deepEqual(await searchIds(backend, ['red']), ['a']);
  });
  add('does not find the words of a write that failed', async (harness) => {
    const backend = await openWith(harness);
    const batch = [putLater('a', { text: 'red' }), patchThing('gone', {})];
    await rejectsWith('CTX_STORE_CONFLICT', () => backend.write(batch));
    assert.deepEqual(await searchIds(backend, ['red']), []);
  });
  add('takes the last words where one write puts a record twice', async (harness) => {
    const backend = await openWith(harness);
    await backend.write([putLater('a', { text: 'red' }), putLater('a', { text: 'blue' })]);
    assert.deepEqual(await searchIds(backend, ['red']), []);
    assert.deepEqual(await searchIds(backend, ['blue']), ['a']);
  });
}

function addRefusalCases(add: AddCase): void {
  add('refuses words for later where it was opened without what finds them', async ({ open }) => {
    const backend = await open();
    const put = putLater('a', { text: 'red' });
    await rejectsWith('CTX_INVALID_INPUT', () => backend.write([put]));
    assert.deepEqual(await backend.get('things', [put.key]), [undefined]);
  });
  add('refuses words that come now and later', async (harness) => {
    const backend = await openWith(harness);
    const put = { ...putLater('a', { text: 'red' }), words: { text: 'red' } };
    await rejectsWith('CTX_INVALID_INPUT', () => backend.write([put]));
  });
  add('refuses words for later in a collection that is not searched', async ({ open }) => {
    const backend = await open(undefined, { wordsOf: { notes: () => ({}) } });
    const note = { type: 'put', collection: 'notes', key: ['t', 'a'], columns: {} } as const;
    const put = { ...note, body: '{}', wordsLater: true };
    await rejectsWith('CTX_INVALID_INPUT', () => backend.write([put]));
  });
}

function addStepCases(add: AddCase): void {
  add('takes words in before a search where it is asked to, step by step', async (harness) => {
    const backend = await openWith(harness);
    const ids = numbered(30);
    await backend.write(ids.map((id) => putLater(id, { text: `common only${id}` })));
    let [left, steps] = [backend.takeInWords === undefined ? 0 : ids.length, 0];
    while (left > 0 && steps < ids.length) {
      const now = (await backend.takeInWords?.(7)) ?? 0;
      assert.ok(now < left, `${now} records wait behind a step, ${left} before it`);
      [left, steps] = [now, steps + 1];
    }
    assert.equal(left, 0, 'no record waits in the end');
    assert.equal((await backend.takeInWords?.(7)) ?? 0, 0);
    assert.equal((await searchIds(backend, ['common'], { limit: 99 })).length, ids.length);
    assert.deepEqual(await searchIds(backend, ['onlya12']), ['a12']);
  });
  add('finds at any moment what is taken in step by step', async (harness) => {
    const backend = await openWith(harness);
    const ids = numbered(20);
    await backend.write(ids.map((id) => putLater(id, { text: `only${id}` })));
    await backend.takeInWords?.(5);
    const found = await Promise.all(ids.map((id) => searchIds(backend, [`only${id}`])));
    assert.deepEqual(found.flat(), ids);
  });
}

function addReopenCases(add: AddCase): void {
  const durable = { needs: ['durable'] } as const;
  add(
    'finds words that waited when the store was closed',
    async (harness) => {
      const before = await openWith(harness);
      await before.write([
        putLater('a', { text: 'red' }),
        putThing('b', { words: { text: 'red' } }),
      ]);
      await before.close();
      const backend = await openWith(harness);
      assert.deepEqual((await searchIds(backend, ['red'])).toSorted(), ['a', 'b']);
      await backend.close();
      assert.equal((await searchIds(await openWith(harness), ['red'])).length, 2);
    },
    durable,
  );
  add(
    'refuses a search while words wait that it cannot find, or has them, and loses none',
    async (harness) => {
      const before = await openWith(harness);
      await before.write([putLater('a', { text: 'red' })]);
      await before.close();
      const without = await harness.open();
      try {
        assert.deepEqual(await searchIds(without, ['red']), ['a']);
      } catch (error) {
        assert.ok(isCtxError(error, 'CTX_INVALID_INPUT'), String(error));
      }
      await without.write([patchThing('a', { size: 1 })]);
      await without.close();
      assert.deepEqual(await searchIds(await openWith(harness), ['red']), ['a']);
    },
    durable,
  );
  add(
    'finds words that another instance left for later',
    async (harness) => {
      const [left, right] = [await openWith(harness), await openWith(harness)];
      await left.write([putLater('a', { text: 'red' })]);
      assert.deepEqual(await searchIds(right, ['red']), ['a']);
      assert.deepEqual(await searchIds(left, ['red']), ['a']);
      await right.write([putLater('a', { text: 'blue' })]);
      assert.deepEqual(await searchIds(left, ['red']), []);
      assert.deepEqual(await searchIds(left, ['blue']), ['a']);
    },
    { needs: ['sharedBetweenProcesses'] },
  );
}

/** Words that a put leaves to be found in the record. */
export const laterWordsCases: readonly ConformanceCase[] = caseGroup(
  'later',
  (add) => {
    addFindCases(add);
    addChangeCases(add);
    addRefusalCases(add);
    addStepCases(add);
    addReopenCases(add);
  },
  { needs: ['search', 'laterWords'] },
);
