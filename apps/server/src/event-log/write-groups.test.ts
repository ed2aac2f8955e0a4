import { CtxError, isCtxError } from '@ctx/core';
import { collections, storeCollections } from '@ctx/store';
import type { StoreBackend, WriteOperation, WriteOptions } from '@ctx/store/backend';
import { appendPuts, memoryBackend } from '@ctx/store/backend';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { liveLog } from './live-log.ts';
import { withLiveEvents } from './with-live-events.ts';

function itemPut(
  id: string,
  more: { expectVersion?: number; tenant?: string; agent?: string } = {},
): WriteOperation {
  const { expectVersion, tenant = 'default', agent = 'a' } = more;
  return {
    type: 'put',
    collection: collections.items.name,
    key: [tenant, agent, id],
    columns: {
      kind: 'TASK',
      rank: 1,
      access_count: 0,
      created_at: 0,
      last_accessed_at: 0,
      pinned: 0,
      archived: 0,
      fingerprint: id,
      tokens: 1,
    },
    body: '{"content":"x"}',
    ...(expectVersion === undefined ? {} : { expectVersion }),
  };
}

/** A backend that counts its writes; `fail` may throw before one is done. */
async function openCounted(fail: (options: WriteOptions | undefined) => void = () => undefined) {
  const memory = memoryBackend();
  const writes: number[] = [];
  const counted: StoreBackend = {
    ...memory,
    write: async (operations, options) => {
      fail(options);
      writes.push(operations.length);
      await memory.write(operations, options);
    },
  };
  const live = withLiveEvents(counted, { clock: () => 0 });
  await live.open(storeCollections);
  return { live, writes, log: liveLog(memory, 'default') };
}

const codeOf = (result: PromiseSettledResult<void>): string =>
  result.status === 'fulfilled' ? 'kept' : isCtxError(result.reason) ? result.reason.code : 'other';

describe('writes that wait for their turn', () => {
  it('are one write of the store, with an event for each', async () => {
    const { live, writes, log } = await openCounted();
    const ids = Array.from({ length: 40 }, (_, index) => String(index));
    await Promise.all(ids.map((id) => live.write([itemPut(id)])));
    expect(writes).toHaveLength(1);
    const events = await log.after(0);
    expect(events.map(({ id }) => id)).toEqual(ids);
  });

  it('fail for their own reasons only, and are tried alone where one of them fails all', async () => {
    const { live, log } = await openCounted();
    await live.write([itemPut('taken')]);
    const results = await Promise.allSettled([
      live.write([itemPut('one', { expectVersion: 0 })]),
      live.write([itemPut('taken', { expectVersion: 0 }), itemPut('never')]),
      live.write([itemPut('two', { expectVersion: 0 })]),
    ]);
    expect(results.map(codeOf)).toEqual(['kept', 'CTX_STORE_CONFLICT', 'kept']);
    expect((await log.after(0)).map(({ id }) => id)).toEqual(['taken', 'one', 'two']);
    const [never] = await live.get(collections.items.name, [['default', 'a', 'never']]);
    expect(never).toBeUndefined();
  });

  it('fail together, and once, where the store itself fails', async () => {
    let tries = 0;
    const { live } = await openCounted(() => {
      tries += 1;
      throw new CtxError('CTX_STORE_IO', 'the disk is gone');
    });
    const results = await Promise.allSettled(['a', 'b'].map((id) => live.write([itemPut(id)])));
    expect(results.map(codeOf)).toEqual(['CTX_STORE_IO', 'CTX_STORE_IO']);
    expect(tries).toBe(1);
  });

  it('stay apart where they name one key, ranges or another durability', async () => {
    const { live, writes } = await openCounted();
    const results = await Promise.allSettled([
      live.write([itemPut('same', { expectVersion: 0 })]),
      live.write([itemPut('same', { expectVersion: 0 })]),
      live.write([itemPut('safe')], { durability: 'power' }),
      live.write([itemPut('more')]),
    ]);
    expect(results.map(codeOf)).toEqual(['kept', 'CTX_STORE_CONFLICT', 'kept', 'kept']);
    expect(writes.length).toBeGreaterThanOrEqual(4);
  });

  it('are waited for by a close', async () => {
    const { live, writes } = await openCounted();
    const asked = live.write([itemPut('last')]);
    await live.close();
    await asked;
    expect(writes).toHaveLength(1);
  });

  it('leave what the same writes one after the other would leave', async () => {
    const step = fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      tenant: fc.constantFrom('default', 'other'),
      expectVersion: fc.option(fc.constantFrom(0, 1, 2), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const together = await openCounted();
        const apart = await openCounted();
        const operations = steps.map(({ id, tenant, expectVersion }) =>
          itemPut(id, { tenant, ...(expectVersion === undefined ? {} : { expectVersion }) }),
        );
        const atOnce = await Promise.allSettled(
          operations.map((one) => together.live.write([one])),
        );
        const inTurn: string[] = [];
        for (const one of operations) {
          const [result] = await Promise.allSettled([apart.live.write([one])]);
          inTurn.push(codeOf(result));
        }
        expect(atOnce.map(codeOf)).toEqual(inTurn);
        expect(await together.log.after(0)).toEqual(await apart.log.after(0));
      }),
      { numRuns: 60 },
    );
  });
});

/** A backend whose writes come one behind the other, each done when `release` says so. It gives events their numbers. */
async function openSlow(gather?: () => Promise<void>) {
  const memory = memoryBackend();
  const asked: (readonly string[])[] = [];
  const gates: (() => void)[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const slow: StoreBackend = {
    ...memory,
    write: async (operations, { appends = [], ...options } = {}) => {
      asked.push(operations.map(({ key }) => key[2] ?? ''));
      const before = last;
      const gate = new Promise<void>((resolve) => gates.push(resolve));
      const work = async (): Promise<void> => {
        await before.catch(() => undefined);
        await gate;
        const puts: WriteOperation[] = [];
        for (const batch of appends) {
          const newest = (await liveLog(memory, 'default').bounds()).newest;
          puts.push(...appendPuts(batch, newest));
        }
        await memory.write([...operations, ...puts], options);
      };
      await (last = work());
    },
  };
  const live = withLiveEvents(slow, {
    clock: () => 0,
    ...(gather === undefined ? {} : { gather }),
  });
  await live.open(storeCollections);
  const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
  const release = async (): Promise<void> => {
    gates.shift()?.();
    await settle();
  };
  const put = (id: string, expectVersion?: number): Promise<void> =>
    live.write([itemPut(id, expectVersion === undefined ? {} : { expectVersion })]);
  return { live, asked, gates, put, release, settle, log: liveLog(memory, 'default') };
}

describe('writes to a store that writes on the side', () => {
  it('are handed over while others are being written, four groups at once', async () => {
    const { asked, put, release, settle, log, gates } = await openSlow();
    const all: Promise<void>[] = [];
    for (const id of ['a', 'b', 'c', 'd']) {
      all.push(put(id));
      await settle();
    }
    all.push(put('e'));
    await settle();
    all.push(put('f'));
    await settle();
    expect(asked).toEqual([['a'], ['b'], ['c'], ['d']]);
    await release();
    expect(asked).toEqual([['a'], ['b'], ['c'], ['d'], ['e', 'f']]);
    while (gates.length > 0) await release();
    await Promise.all(all);
    expect((await log.after(0)).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('are handed over before the moment is over where eight wait', async () => {
    let isOver = (): void => undefined;
    const moment = new Promise<void>((resolve) => {
      isOver = resolve;
    });
    const { asked, put, release, settle, gates } = await openSlow(() => moment);
    const ids = Array.from({ length: 10 }, (_, at) => String(at));
    const all = ids.slice(0, 7).map((id) => put(id));
    await settle();
    expect(asked).toEqual([]);
    for (const id of ids.slice(7)) {
      all.push(put(id));
      await settle();
    }
    expect(asked).toEqual([ids.slice(0, 8)]);
    isOver();
    await settle();
    expect(asked).toEqual([ids.slice(0, 8), ids.slice(8)]);
    while (gates.length > 0) await release();
    await Promise.all(all);
  });

  it('wait for what names a key of theirs, so that each sees what came before', async () => {
    const { asked, put, release, settle, gates } = await openSlow();
    const all = [put('a', 0)];
    await settle();
    all.push(put('a', 1));
    await settle();
    expect(asked).toEqual([['a']]);
    await release();
    expect(asked).toEqual([['a'], ['a']]);
    while (gates.length > 0) await release();
    expect((await Promise.allSettled(all)).map(codeOf)).toEqual(['kept', 'kept']);
  });

  it.each([
    ['the key', 'key'],
    ['a column behind the agent', 'by_rank'],
  ])(
    'are handed over beside one that wants a range of %s to be empty in which they change nothing, and wait for one where they may',
    async (_, index) => {
      const { live, asked, release, settle, gates } = await openSlow();
      const { name: collection } = collections.items;
      const rangeOf = (agent: string) => ({ collection, index, equal: ['default', agent] });
      const emptyOf = (agent: string) => ({ emptyRanges: [rangeOf(agent)] });
      const all = [live.write([itemPut('x', { agent: 'x' })], emptyOf('x'))];
      await settle();
      all.push(live.write([itemPut('y', { agent: 'y' })], emptyOf('y')));
      await settle();
      all.push(live.write([itemPut('z', { agent: 'z' })]));
      await settle();
      expect(asked).toEqual([['x'], ['y'], ['z']]);
      all.push(live.write([itemPut('late', { agent: 'y' })]));
      await settle();
      expect(asked).toEqual([['x'], ['y'], ['z']]);
      await release();
      expect(asked).toEqual([['x'], ['y'], ['z']]);
      await release();
      expect(asked).toEqual([['x'], ['y'], ['z'], ['late']]);
      const patchRanges = [{ ...rangeOf('v'), columns: { pinned: 1 } }];
      all.push(live.write([itemPut('w', { agent: 'w' })], { patchRanges }));
      await settle();
      expect(asked).toHaveLength(4);
      while (gates.length > 0) await release();
      expect((await Promise.allSettled(all)).map(codeOf)).toEqual(all.map(() => 'kept'));
    },
  );

  it('fail alone, and those that were handed over behind them are kept', async () => {
    const { put, release, settle, log, gates } = await openSlow();
    const first = put('a', 3).then(
      () => 'kept',
      () => 'failed',
    );
    await settle();
    const second = put('b');
    while (gates.length > 0) await release();
    await second;
    expect(await first).toBe('failed');
    expect((await log.after(0)).map(({ id }) => id)).toEqual(['b']);
  });

  it('are waited for by a close, those that were handed over, too', async () => {
    const { live, put, release, settle, log, gates } = await openSlow();
    const all = [put('a')];
    await settle();
    all.push(put('b'));
    await settle();
    let isClosed = false;
    const closed = live.close().then(() => {
      isClosed = true;
    });
    await release();
    expect(isClosed).toBe(false);
    while (gates.length > 0) await release();
    await Promise.all([closed, ...all]);
    await expect(log.after(0)).rejects.toThrow();
  });
});
