import { CtxError } from '@ctx/core';
import { fingerprint } from '@ctx/core/encoding';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryPlace, memoryBackend } from '../backend/memory/memory-backend.ts';
import type { StoreBackend } from '../backend/store-backend.ts';
import { type ContextStore, openStore } from '../open-store.ts';

/** What `npm test` tries of what the campaign does. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.2;

const big = 'x'.repeat(3000);

const save = (store: ContextStore, result: unknown) =>
  store.outputs.save({ sessionId: 's', toolName: 't', args: {}, result });

/** A memory backend whose calls take a few turns of the event loop, as those of a disk do. */
function slowBackend(place = createMemoryPlace()): StoreBackend {
  const inner = memoryBackend({ place });
  const pause = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    ...inner,
    get: async (...call) => {
      await pause();
      return inner.get(...call);
    },
    write: async (...call) => {
      await pause();
      return inner.write(...call);
    },
  };
}

/** A store that notes the calls of its backend. */
async function openCounted(place = createMemoryPlace()) {
  const calls: string[] = [];
  const inner = memoryBackend({ place });
  const store = await openStore({
    ...inner,
    get: (...call) => {
      calls.push('get');
      return inner.get(...call);
    },
    scan: (query) => {
      calls.push(`scan ${query.index}`);
      return inner.scan(query);
    },
    write: (...call) => {
      calls.push('write');
      return inner.write(...call);
    },
  });
  return { calls, store };
}

describe('saving outputs', () => {
  it('reads nothing before it saves a new result of a session that it saved into before', async () => {
    const { calls, store } = await openCounted();
    await save(store, `${big}0`);
    calls.length = 0;
    for (const at of [1, 2]) await save(store, `${big}${String(at)}`);
    expect(calls).toEqual(['write', 'write']);
  });

  it('writes once for a new result of a session whose newest output another process saved, once it has read that', async () => {
    const place = createMemoryPlace();
    const { calls, store } = await openCounted(place);
    const other = await openStore(memoryBackend({ place }));
    const first = await save(store, `${big}0`);
    const second = await save(other, `${big}1`);
    // An older one that is read says nothing.
    for (const { pointer } of [second, first])
      await store.outputs.load({ ...pointer, sessionId: 's' });
    calls.length = 0;
    const { pointer } = await save(store, `${big}2`);
    expect(calls).toEqual(['write']);
    const { entries } = await other.outputs.pointers({ sessionId: 's' });
    expect(entries.map(({ id }) => id)).toEqual([first.pointer.id, second.pointer.id, pointer.id]);
  });

  it('numbers on behind what others saved meanwhile, and shares their results', async () => {
    const place = createMemoryPlace();
    const [left, right] = await Promise.all([1, 2].map(() => openStore(memoryBackend({ place }))));
    const receipts = [];
    for (const [at, store] of [left, right, right, left, left, right].entries()) {
      if (store !== undefined)
        receipts.push(await save(store, at === 5 ? `${big}3` : `${big}${String(at)}`));
    }
    expect(receipts.map(({ pointer }) => pointer.sequence)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(receipts[5]?.sameAs).toBe(receipts[3]?.pointer.id);
  });

  it('gives no number twice when several stores save into a session at once for the first time', async () => {
    const place = createMemoryPlace();
    const stores = await Promise.all([1, 2, 3, 4].map(() => openStore(slowBackend(place))));
    const saves = stores.flatMap((store, at) => [0, 1, 2].map((more) => save(store, [at, more])));
    const sequences = (await Promise.all(saves)).map(({ pointer }) => pointer.sequence);
    expect(sequences.toSorted((a, b) => a - b)).toEqual(saves.map((_, at) => at));
  });

  it('begins at 0 again once a session is cleared', async () => {
    const store = await openStore(memoryBackend());
    for (const at of [0, 1]) await save(store, at);
    await store.outputs.clear('s');
    expect((await save(store, 2)).pointer.sequence).toBe(0);
  });

  it('numbers the results of parallel calls in the order they were handed in', async () => {
    const store = await openStore(slowBackend());
    const inputs = Array.from({ length: 12 }, (_, index) => index);
    const receipts = await Promise.all(inputs.map((index) => save(store, index)));
    expect(receipts.map(({ pointer }) => pointer.sequence)).toEqual(inputs);
  });

  it('stores the equal results of parallel calls once', async () => {
    const store = await openStore(slowBackend());
    const receipts = await Promise.all([1, 2, 3].map(() => save(store, big)));
    const [first] = receipts;
    expect(receipts.map(({ sameAs }) => sameAs)).toEqual([
      undefined,
      first?.pointer.id,
      first?.pointer.id,
    ]);
  });

  it('goes on after a save that failed', async () => {
    const store = await openStore(memoryBackend(), { outputs: { maxBytes: 100 } });
    const failed = save(store, big);
    const next = save(store, 'ok');
    await expect(failed).rejects.toMatchObject({ code: 'CTX_TOO_LARGE' });
    expect((await next).pointer.sequence).toBe(0);
  });

  it('gives back each of two results that differ in the order of their members only', async () => {
    const store = await openStore(memoryBackend());
    const [left, right] = [
      { a: big, b: 1 },
      { b: 1, a: big },
    ];
    const saved = await store.outputs.saveAll(
      [left, right, left, right].map((result) => ({
        sessionId: 's',
        toolName: 't',
        args: {},
        result,
      })),
    );
    const later = [await save(store, left), await save(store, right)];
    for (const [index, { pointer }] of [...saved, ...later].entries()) {
      const loaded = await store.outputs.load(pointer);
      expect(JSON.stringify(loaded?.result)).toBe(JSON.stringify(index % 2 === 0 ? left : right));
    }
    expect(saved.map(({ sameAs }) => sameAs !== undefined)).toEqual([false, false, true, true]);
  });

  it('shares results of 1,024 bytes and more, and keeps smaller ones apart', async () => {
    const store = await openStore(memoryBackend());
    for (const [length, isShared] of [
      [1023, false],
      [1024, true],
    ] as const) {
      const first = await save(store, 'y'.repeat(length));
      const again = await save(store, 'y'.repeat(length));
      expect([first.sameAs, again.sameAs]).toEqual([
        undefined,
        isShared ? first.pointer.id : undefined,
      ]);
    }
  });

  it('tries a save once that fails for another reason than a conflict', async () => {
    let writes = 0;
    let isFull = false;
    const inner = memoryBackend();
    const store = await openStore({
      ...inner,
      write: async (...call) => {
        writes += 1;
        if (isFull) throw new CtxError('CTX_STORE_FULL', 'the disk is full');
        await inner.write(...call);
      },
    });
    await save(store, `${big}0`);
    [isFull, writes] = [true, 0];
    await expect(save(store, `${big}1`)).rejects.toMatchObject({ code: 'CTX_STORE_FULL' });
    expect(writes).toBe(1);
  });

  it('gives back every text byte for byte, ill-formed ones and our own marks too', async () => {
    const store = await openStore(memoryBackend(), { outputs: { shareFromBytes: 0 } });
    const marks = ['', '\ud800', 'a\u0000b', '\u241b0000', '{"$ctx":"undefined"}', '[ctx: x]'];
    const text = fc.oneof(fc.constantFrom(...marks), fc.string({ unit: 'binary', maxLength: 50 }));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 6 }), async (results) => {
        const inputs = results.map((result) => ({
          sessionId: 's',
          toolName: 't',
          args: {},
          result,
        }));
        const receipts = await store.outputs.saveAll(inputs);
        for (const [index, { pointer }] of receipts.entries()) {
          expect((await store.outputs.load(pointer))?.result).toBe(results[index]);
        }
      }),
      { numRuns: 50 * share },
    );
  });

  it.each([['a\ud800 text'], [''], [{ b: 1, a: [2] }], [undefined]])(
    'names %j by the fingerprint that everybody can compute',
    async (result) => {
      const store = await openStore(memoryBackend());
      const { pointer } = await save(store, result);
      expect(pointer.fingerprint).toBe(fingerprint(result));
    },
  );

  it('leaves what it was given as it was', async () => {
    const store = await openStore(memoryBackend());
    const input = Object.freeze({
      sessionId: 's',
      toolName: 't',
      args: Object.freeze({ list: Object.freeze(['a'.repeat(500)]) }),
      result: Object.freeze([Object.freeze({ type: 'image', data: big })]),
    });
    const before = JSON.stringify(input);
    const { pointer } = await store.outputs.save(input);
    expect(JSON.stringify(input)).toBe(before);
    expect((await store.outputs.load(pointer))?.result).toEqual(input.result);
  });

  it('refuses arguments over the limit, too', async () => {
    const store = await openStore(memoryBackend(), { outputs: { maxBytes: 100 } });
    const input = { sessionId: 's', toolName: 't', args: { text: big }, result: '' };
    await expect(store.outputs.save(input)).rejects.toMatchObject({ code: 'CTX_TOO_LARGE' });
  });
});
