import { createSaver } from '@ctx/agent-adapter/langchain';
import { createRedactor } from '@ctx/redact';
import { type OpenStoreOptions, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { HumanMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  BaseCheckpointSaver,
  type CheckpointMetadata,
  type CheckpointTuple,
  emptyCheckpoint,
  type SerializerProtocol,
  uuid6,
} from '@langchain/langgraph-checkpoint';
import { describe, expect, it } from 'vitest';

const metadata: CheckpointMetadata = { source: 'loop', step: 0, parents: {} };

async function open(options: OpenStoreOptions = {}, serde?: SerializerProtocol) {
  const backend = memoryBackend();
  let bytes = 0;
  const counted = {
    ...backend,
    write: (...args: Parameters<typeof backend.write>) => {
      for (const operation of args[0]) {
        if (operation.type === 'put') bytes += operation.body.length;
      }
      return backend.write(...args);
    },
  };
  const store = await openStore(counted, options);
  const saver = createSaver({ BaseCheckpointSaver, store, ...(serde ? { serde } : {}) });
  return { store, saver, written: () => bytes };
}

type Saver = Awaited<ReturnType<typeof open>>['saver'];

const thread = (id: string): RunnableConfig => ({
  configurable: { thread_id: id, checkpoint_ns: '' },
});

let counter = 0;

/** Puts a checkpoint in which one channel changed. */
async function put(
  saver: Saver,
  config: RunnableConfig,
  values: Record<string, readonly [version: number, value: unknown]>,
  changed: readonly string[] = Object.keys(values),
): Promise<RunnableConfig> {
  const versions = Object.entries(values).map(([name, [version]]) => [name, version] as const);
  counter += 1;
  const checkpoint = {
    ...emptyCheckpoint(),
    id: uuid6(counter),
    channel_values: Object.fromEntries(
      Object.entries(values).map(([name, [, value]]) => [name, value]),
    ),
    channel_versions: Object.fromEntries(versions),
  };
  const fresh = Object.fromEntries(versions.filter(([name]) => changed.includes(name)));
  return saver.put(config, checkpoint, metadata, fresh);
}

async function all(found: AsyncIterable<CheckpointTuple>): Promise<CheckpointTuple[]> {
  const tuples: CheckpointTuple[] = [];
  for await (const tuple of found) tuples.push(tuple);
  return tuples;
}

const valuesOf = (tuple: CheckpointTuple | undefined) => tuple?.checkpoint.channel_values;

/** A thread whose messages grow, as those of an agent do. */
async function grow(saver: Saver, id: string, steps: number): Promise<RunnableConfig> {
  let config = thread(id);
  const messages: HumanMessage[] = [];
  for (let step = 1; step <= steps; step += 1) {
    messages.push(
      new HumanMessage({ id: String(step), content: `${String(step)} ${'word '.repeat(80)}` }),
    );
    config = await put(saver, config, { messages: [step, [...messages]], goal: [1, 'g'] }, [
      'messages',
      ...(step === 1 ? ['goal'] : []),
    ]);
  }
  return config;
}

describe('a saver', () => {
  it('stores what changed: 160 steps of an agent write a few times its messages, not their sum', async () => {
    const { saver, written } = await open();
    const last = await grow(saver, 't', 160);
    const whole = JSON.stringify(valuesOf(await saver.getTuple(last))).length;
    expect(whole).toBeGreaterThan(80_000);
    // Each time all of it would be 80 times as much.
    expect(written()).toBeLessThan(9 * whole);
  });

  it('reads every checkpoint of a thread as it was put', async () => {
    const { saver } = await open();
    await grow(saver, 't', 60);
    const tuples = await all(saver.list(thread('t')));
    expect(tuples).toHaveLength(60);
    for (const [index, tuple] of tuples.entries()) {
      const messages = valuesOf(tuple)?.['messages'] as HumanMessage[];
      expect(messages.map(({ id }) => id)).toEqual(
        Array.from({ length: 60 - index }, (_, place) => String(place + 1)),
      );
      expect(messages.every((message) => HumanMessage.isInstance(message))).toBe(true);
    }
  });

  it('keeps two values apart that bear one version, as two branches of a thread have them', async () => {
    const { saver } = await open();
    const root = await put(saver, thread('t'), { goal: [1, 'root'] });
    const left = await put(saver, root, { goal: [2, 'left'] });
    const right = await put(saver, root, { goal: [2, 'right'] });
    expect(valuesOf(await saver.getTuple(left))).toEqual({ goal: 'left' });
    expect(valuesOf(await saver.getTuple(right))).toEqual({ goal: 'right' });
  });

  it('gives a copy of a first checkpoint its values, although no parent is named and nothing changed', async () => {
    const { saver } = await open();
    const root = await put(saver, thread('t'), { goal: [1, 'root'] });
    const copy = await put(saver, thread('t'), { goal: [1, 'root'] }, []);
    expect(valuesOf(await saver.getTuple(copy))).toEqual(valuesOf(await saver.getTuple(root)));
  });

  it('keeps what a serializer encrypted, byte for byte', async () => {
    const bits = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => byte ^ 0xa5);
    const serde: SerializerProtocol = {
      dumpsTyped: async (value: unknown) => [
        'xor',
        bits(new TextEncoder().encode(JSON.stringify(value))),
      ],
      loadsTyped: async (_type: string, bytes: Uint8Array | string) =>
        JSON.parse(
          new TextDecoder().decode(bits(typeof bytes === 'string' ? new Uint8Array() : bytes)),
        ) as unknown,
    };
    const { saver } = await open({}, serde);
    const config = await put(saver, thread('t'), { list: [1, ['a'.repeat(3000), 'b']] });
    expect(valuesOf(await saver.getTuple(config))).toEqual({ list: ['a'.repeat(3000), 'b'] });
  });

  it('stores no secrets where the store takes them out', async () => {
    const secret = `ghp_${'a1B2c3D4'.repeat(5)}`.slice(0, 40);
    const { saver } = await open({ redactor: createRedactor() });
    const config = await put(saver, thread('t'), { goal: [1, `use ${secret}`] });
    await saver.putWrites(config, [['goal', secret]], 'task');
    const tuple = await saver.getTuple(config);
    expect(JSON.stringify(tuple)).toContain('redacted');
    expect(JSON.stringify(tuple)).not.toContain(secret);
  });

  it('loses no update of ten at once, and no write of a task is replaced', async () => {
    const { saver } = await open();
    const root = await put(saver, thread('t'), { goal: [1, 'root'] });
    const children = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        put(saver, root, { goal: [2, `child ${String(index)}`] }),
      ),
    );
    const read = await Promise.all(children.map((config) => saver.getTuple(config)));
    expect(new Set(read.map((tuple) => JSON.stringify(valuesOf(tuple)))).size).toBe(10);
    await saver.putWrites(root, [['goal', 'first']], 'task');
    await saver.putWrites(root, [['goal', 'second']], 'task');
    expect((await saver.getTuple(root))?.pendingWrites).toEqual([['task', 'goal', 'first']]);
  });

  it('says nothing of its store as JSON', async () => {
    const { saver } = await open();
    expect(JSON.stringify({ saver })).toBe('{"saver":"[CtxSaver]"}');
  });

  it('refuses a thread that is no text, and takes names that are members of every object', async () => {
    const { saver } = await open();
    const wrong = { configurable: { thread_id: 7 } };
    await expect(put(saver, wrong, { goal: [1, 'x'] })).rejects.toThrow(/must be text/);
    const values = Object.fromEntries([['constructor', [1, 'x'] as const]]);
    const odd = await put(saver, thread('__proto__'), values);
    expect(valuesOf(await saver.getTuple(odd))).toEqual(Object.fromEntries([['constructor', 'x']]));
  });
});

describe('pruning a thread', () => {
  it('removes old checkpoints and what only they held; the rest reads as before', async () => {
    const { saver, store } = await open();
    const last = await grow(saver, 't', 40);
    const before = JSON.stringify(valuesOf(await saver.getTuple(last)));
    const receipt = await saver.prune('t', { keepNewest: 2 });
    expect(receipt.checkpoints).toBe(38);
    expect(receipt.parts).toBeGreaterThan(0);
    expect(await all(saver.list(thread('t')))).toHaveLength(2);
    expect(JSON.stringify(valuesOf(await saver.getTuple(last)))).toBe(before);
    expect(await saver.prune('t', { keepNewest: 2 })).toEqual({
      checkpoints: 0,
      parts: 0,
      writes: 0,
    });
    await grow(saver, 't2', 1);
    expect(store.tenant).toBe('default');
    const next = await put(saver, last, { goal: [2, 'after'] });
    expect(valuesOf(await saver.getTuple(next))).toEqual({ goal: 'after' });
  });

  it('keeps what is younger than asked for', async () => {
    let now = 0;
    const { saver } = await open({ clock: () => now });
    let config = thread('t');
    for (let step = 1; step <= 10; step += 1) {
      now = step * 1000;
      config = await put(saver, config, { goal: [step, step] });
    }
    const receipt = await saver.prune('t', { olderThanMs: 3500 });
    expect(receipt.checkpoints).toBe(6);
  });

  it('keeps the checkpoints that values are still made from', async () => {
    const { saver } = await open();
    const delta = {
      ...metadata,
      counters_since_delta_snapshot: { messages: [1, 1] as [number, number] },
    };
    let config = await put(saver, thread('t'), { messages: [1, ['seed']] });
    for (let step = 2; step <= 6; step += 1) {
      await saver.putWrites(config, [['messages', [step]]], `task ${String(step)}`);
      const checkpoint = {
        ...emptyCheckpoint(),
        id: uuid6((counter += 1)),
        channel_versions: { messages: step },
      };
      config = await saver.put(config, checkpoint, delta, { messages: step });
    }
    const wanted = { config, channels: ['messages'] };
    const before = await saver.getDeltaChannelHistory(wanted);
    expect(before['messages']?.writes).toHaveLength(5);
    expect((await saver.prune('t')).checkpoints).toBe(0);
    expect(await saver.getDeltaChannelHistory(wanted)).toEqual(before);
  });
});

describe('threads', () => {
  it('are copied whole, once', async () => {
    const { saver } = await open();
    const last = await grow(saver, 'a', 12);
    await saver.putWrites(last, [['goal', 'pending']], 'task');
    expect(await saver.copyThread('a', 'b')).toBe(12);
    await saver.deleteThread('a');
    const copied = await saver.getTuple(thread('b'));
    expect(copied?.pendingWrites).toEqual([['task', 'goal', 'pending']]);
    expect(valuesOf(copied)?.['messages']).toHaveLength(12);
    await expect(saver.copyThread('b', 'b')).rejects.toMatchObject({ code: 'CTX_INVALID_INPUT' });
    await expect(saver.copyThread('a', 'c')).rejects.toMatchObject({ code: 'CTX_NOT_FOUND' });
  });

  it('expire when nothing was added for long, and are cleared all at once', async () => {
    let now = 1000;
    const { saver } = await open({ clock: () => now });
    await grow(saver, 'old', 2);
    now = 50_000;
    await grow(saver, 'new', 2);
    expect(await saver.expireThreads({ olderThanMs: 10_000 })).toEqual(['old']);
    expect(await saver.getTuple(thread('old'))).toBeUndefined();
    expect(await saver.getTuple(thread('new'))).toBeDefined();
    await saver.clear();
    expect(await all(saver.list({}))).toEqual([]);
  });
});
