import { encodeValue } from '@ctx/core/encoding';
import { expect, it } from 'vitest';
import { memoryBackend } from '../backend/memory/memory-backend.ts';
import { openStore } from '../open-store.ts';

const event = { type: 'message', payload: 1 };

it('continues a log where its writer thinks it ends, with one write and no reading', async () => {
  const store = await openStore(memoryBackend());
  expect(await store.events.append('s', [event, event], { first: 0 })).toBe(0);
  expect(await store.events.append('s', [event], { first: 2 })).toBe(2);
  expect(await store.events.append('s', [], { first: 3 })).toBe(3);
  expect((await store.events.tally('s')).events).toBe(3);
});

it.each([0, 1, 3, 9])(
  'tells a writer who thinks the log ends at %s that somebody else changed it, and keeps every event',
  async (first) => {
    const store = await openStore(memoryBackend());
    await store.events.append('s', [event, event]);
    const wrong = store.events.append('s', [{ ...event, payload: 'mine' }], { first });
    await expect(wrong).rejects.toMatchObject({ code: 'CTX_STORE_CONFLICT' });
    const kept = [];
    for await (const { payload } of store.events.read('s')) kept.push(payload);
    expect(kept).toEqual([1, 1]);
  },
);

it.each([
  ['plain data', { a: [1, { b: 'x' }], __proto__x: null }],
  ['what JSON cannot say', { when: new Date(0), missing: undefined, big: 10n, nan: [Number.NaN] }],
  ['what looks like a tag', { $ctx: 'date', value: 1 }],
  ['a member named __proto__', JSON.parse('{"__proto__":{"a":1},"b":2}') as unknown],
  ['signs that JSON escapes', { text: 'a\u0001b\ud800' }],
])('gives %s back as it was', async (_, payload) => {
  const store = await openStore(memoryBackend());
  await store.events.append('s', [{ type: 'message', payload }]);
  for await (const read of store.events.read('s')) expect(read.payload).toStrictEqual(payload);
  expect((await store.events.tally('s')).events).toBe(1);
});

it.each([-1, 0.5, Number.NaN])('refuses %s as a place in a log', async (first) => {
  const store = await openStore(memoryBackend());
  await expect(store.events.append('s', [event], { first })).rejects.toMatchObject({
    code: 'CTX_INVALID_INPUT',
  });
});

it.each([0, 1, 700, 1199, 1200, 5000])(
  'takes a log back to its first %s events, and it goes on from there',
  async (from) => {
    const store = await openStore(memoryBackend());
    const inputs = Array.from({ length: 1200 }, (_, payload) => ({ type: 'message', payload }));
    await store.events.append('s', inputs);
    await store.events.append('other', [event]);
    const left = Math.min(from, 1200);
    expect(await store.events.clear('s', { from })).toBe(1200 - left);
    expect((await store.events.tally('s')).events).toBe(left);
    expect(await store.events.append('s', [event], { first: left })).toBe(left);
    expect((await store.events.tally('other')).events).toBe(1);
  },
);

it('refuses a place that no event of a log can have', async () => {
  const store = await openStore(memoryBackend());
  const clearing = store.events.clear('s', { from: -1 });
  await expect(clearing).rejects.toMatchObject({ code: 'CTX_INVALID_INPUT' });
});

it('reads an event whose encoded form was at hand as one whose payload was given', async () => {
  const store = await openStore(memoryBackend());
  const payload = { at: new Date(0), text: 'a', big: 10n };
  const payloadJson = JSON.stringify(encodeValue(payload));
  await store.events.append('s', [
    { type: 'message', payload },
    { type: 'message', payloadJson },
  ]);
  const read = [];
  for await (const { payload: kept } of store.events.read('s')) read.push(kept);
  expect(read).toEqual([payload, payload]);
});

it('reads what is new at the end of a log in two reads at once, which also tell that there is nothing', async () => {
  const inner = memoryBackend();
  let reads = 0;
  const store = await openStore({
    ...inner,
    get: (...call) => {
      reads += 1;
      return inner.get(...call);
    },
    scan: (query) => {
      reads += 1;
      return inner.scan(query);
    },
  });
  const inputs = Array.from({ length: 100 }, (_, payload) => ({ type: 'message', payload }));
  await store.events.append('s', inputs);
  const readFrom = async (from: number) => {
    const payloads: unknown[] = [];
    reads = 0;
    for await (const { payload } of store.events.read('s', { from })) payloads.push(payload);
    expect(payloads).toEqual(inputs.slice(from).map(({ payload }) => payload));
    return reads;
  };
  for (const from of [100, 99, 90, 77]) expect(await readFrom(from)).toBe(2);
  for (const from of [76, 75, 20, 1]) expect(await readFrom(from)).toBeLessThan(6);
});

it.each([
  [5, 1],
  [6, 1],
  [29, 1],
  [39, 1],
  [5, 24],
  [5, 35],
  [7, 30],
])(
  'says that events are gone where a log is read on from one before them: from %s on %s',
  async (gone, count) => {
    const backend = memoryBackend();
    const store = await openStore(backend);
    const inputs = Array.from({ length: 41 }, (_, payload) => ({ type: 'message', payload }));
    await store.events.append('s', inputs);
    const lost = Array.from({ length: count }, (_, at) => String(gone + at).padStart(12, '0'));
    await backend.write(
      lost.map((last) => ({
        type: 'delete',
        collection: 'events',
        key: ['default', 's', last],
      })),
    );
    const read: unknown[] = [];
    const reading = (async () => {
      for await (const { payload } of store.events.read('s', { from: 5 })) read.push(payload);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'CTX_STORE_CORRUPT' });
    expect(read).toEqual(inputs.slice(5, gone).map(({ payload }) => payload));
  },
);
