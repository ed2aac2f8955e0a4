import { type ContextStore, collections, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { createSaver, type SaverExtras, type SaverMethods } from './create-saver.ts';
import type { CheckpointShape, ConfigShape, SerializerShape, TupleShape } from './host-types.ts';

const json: SerializerShape = {
  dumpsTyped: (value) => Promise.resolve(['json', new TextEncoder().encode(JSON.stringify(value))]),
  loadsTyped: (_type, bytes) =>
    Promise.resolve(
      JSON.parse(typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes)),
    ),
};

/** What the class of LangGraph leaves open. */
abstract class BaseCheckpointSaver {
  serde = json;
}

type Saver = SaverExtras & SaverMethods;

async function made(): Promise<{ readonly store: ContextStore; readonly saver: Saver }> {
  const store = await openStore(memoryBackend());
  const saver = createSaver({ BaseCheckpointSaver, store });
  // The class of LangGraph declares the methods; this one stands for it.
  return { store, saver: saver as unknown as Saver };
}

/** What of an operation tells what it changes. */
interface Changed {
  readonly type: string;
  readonly columns?: Readonly<Record<string, unknown>>;
}

const thread: ConfigShape = { configurable: { thread_id: 't', checkpoint_ns: '' } };

function checkpoint(id: string, values: Readonly<Record<string, unknown>> = {}): CheckpointShape {
  const versions = Object.keys(values).map((name) => [name, 1] as const);
  return { v: 4, id, channel_values: values, channel_versions: Object.fromEntries(versions) };
}

async function all(found: AsyncIterable<TupleShape>): Promise<TupleShape[]> {
  const tuples: TupleShape[] = [];
  for await (const tuple of found) tuples.push(tuple);
  return tuples;
}

/** Lets so many promises settle that wait for nothing. */
async function settle(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
}

describe('a checkpoint', () => {
  it('keeps all its values where nobody says which of them changed', async () => {
    const { saver } = await made();
    const values = { messages: ['a'], goal: 'g' };
    const untold = undefined as unknown as Parameters<Saver['put']>[3];
    const config = await saver.put(thread, checkpoint('1', values), {}, untold);
    expect((await saver.getTuple(config))?.checkpoint.channel_values).toEqual(values);
  });

  it('is named by thread_ts where checkpoint_id is empty, as LangGraph reads it', async () => {
    const { saver } = await made();
    for (const id of ['1', '2']) await saver.put(thread, checkpoint(id), {}, {});
    const configurable = { ...thread.configurable, checkpoint_id: '', thread_ts: '1' };
    expect((await saver.getTuple({ configurable }))?.checkpoint.id).toBe('1');
  });

  it('is found by its own metadata alone, not by members of every object', async () => {
    const { saver } = await made();
    await saver.put(thread, checkpoint('1'), { source: 'loop' }, {});
    const listed = async (filter: string): Promise<number> =>
      (await all(saver.list(thread, { filter: JSON.parse(filter) as Record<string, unknown> })))
        .length;
    expect(await listed('{"source":"loop"}')).toBe(1);
    expect(await listed('{"__proto__":{}}')).toBe(0);
    expect(await listed('{"source":"input"}')).toBe(0);
  });
});

describe('a list of checkpoints', () => {
  it('ends before the one that it is to end before, also where that one alone is asked for', async () => {
    const { saver } = await made();
    for (const id of ['1', '2', '3']) await saver.put(thread, checkpoint(id), {}, {});
    const at = (id: string): ConfigShape => ({
      configurable: { ...thread.configurable, checkpoint_id: id },
    });
    const idsOf = async (config: ConfigShape): Promise<string[]> =>
      (await all(saver.list(config, { before: at('2') }))).map((tuple) => tuple.checkpoint.id);
    expect(await idsOf(thread)).toEqual(['1']);
    expect(await idsOf(at('2'))).toEqual([]);
    expect(await idsOf(at('1'))).toEqual(['1']);
  });
});

describe('a checkpoint of an old form', () => {
  it('has what was sent to its tasks, under the latest version of its channels', async () => {
    const { saver } = await made();
    const parent = await saver.put(thread, { ...checkpoint('1'), v: 3 }, {}, {});
    await saver.putWrites(parent, [['__pregel_tasks', { node: 'n' }]], 'task');
    const old = { ...checkpoint('2', { a: 1, b: 2 }), v: 3 };
    const versions = { a: '00000002.5', b: '00000010.1' };
    await saver.put(parent, { ...old, channel_versions: versions }, {}, versions);
    const found = (await saver.getTuple(thread))?.checkpoint;
    expect(found?.channel_values['__pregel_tasks']).toEqual([{ node: 'n' }]);
    expect(found?.channel_versions['__pregel_tasks']).toBe('00000010.1');
  });
});

describe('what a task wrote', () => {
  it('keeps a write of each channel that has one, as a task that is interrupted again brings them', async () => {
    const { saver } = await made();
    const config = await saver.put(thread, checkpoint('1'), {}, {});
    const channels = ['__error__', '__scheduled__', '__interrupt__', '__resume__'];
    await saver.putWrites(
      config,
      channels.map((channel) => [channel, channel] as const),
      'task',
    );
    const writes = (await saver.getTuple(config))?.pendingWrites ?? [];
    expect(writes.map(([, channel]) => channel).sort()).toEqual(channels.toSorted());
  });

  it('is its last write to a channel that has one, also where one call brings several', async () => {
    const { saver } = await made();
    const config = await saver.put(thread, checkpoint('1'), {}, {});
    const writes = [
      ['__interrupt__', 'first'],
      ['a', 1],
      ['__interrupt__', 'second'],
    ] as const;
    await saver.putWrites(config, writes, 'task');
    expect((await saver.getTuple(config))?.pendingWrites).toEqual([
      ['task', '__interrupt__', 'second'],
      ['task', 'a', 1],
    ]);
  });

  it('stays as it was written first, however close another process follows', async () => {
    const { saver } = await made();
    const config = await saver.put(thread, checkpoint('1'), {}, {});
    const put = (value: string): Promise<void> => saver.putWrites(config, [['a', value]], 'task');
    for (let turns = 0; turns < 12; turns += 1) {
      const first = put('first');
      await settle(turns);
      await Promise.all([first, put('second')]);
      expect((await saver.getTuple(config))?.pendingWrites).toEqual([['task', 'a', 'first']]);
      await saver.deleteThread('t');
      await saver.put(thread, checkpoint('1'), {}, {});
    }
  });
});

describe('a thread that is deleted while it is written to', () => {
  it('is gone or whole, and never a checkpoint without its values', async () => {
    for (let turns = 0; turns < 60; turns += 1) {
      const { saver } = await made();
      const values = { list: ['a', 'b'], goal: 'g' };
      const before = await saver.put(thread, checkpoint('1', values), {}, { list: 1, goal: 1 });
      const deleting = saver.deleteThread('t');
      await settle(turns);
      await Promise.all([deleting, saver.put(before, checkpoint('2', values), {}, {})]);
      const tuples = await all(saver.list(thread));
      for (const tuple of tuples) expect(tuple.checkpoint.channel_values).toEqual(values);
    }
  });
});

describe('a checkpoint that is deleted and put again under its id while another one is put behind it', () => {
  /** A store in which a write waits that says how many rest on a checkpoint, and what lets it go on. */
  async function heldBack(): Promise<{
    readonly saver: Saver;
    readonly waits: Promise<void>;
    readonly goOn: () => void;
  }> {
    const backend = memoryBackend();
    let [isFirst, goOn, tell] = [true, (): void => undefined, (): void => undefined];
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    const waits = new Promise<void>((resolve) => (tell = resolve));
    const store = await openStore({
      ...backend,
      write: async (operations, options) => {
        const rests = operations.some(({ type, columns }: Changed) => {
          return type === 'patch' && columns?.['children'] !== undefined;
        });
        if (rests && isFirst) {
          isFirst = false;
          tell();
          await gate;
        }
        await backend.write(operations, options);
      },
    });
    const saver = createSaver({ BaseCheckpointSaver, store }) as unknown as Saver;
    return { saver, waits, goOn };
  }

  const long = Array.from({ length: 400 }, (_, at) => `message ${String(at)}`);

  it.each([
    ['other values', { other: 'value' }],
    ['a part of its values', { list: long }],
    ['the same values', { kept: 'kept', list: long }],
  ])('with %s: the other one has all that it was given', async (_, again) => {
    const { saver, waits, goOn } = await heldBack();
    const values = { kept: 'kept', list: long };
    const before = await saver.put(thread, checkpoint('1', values), {}, { kept: 1, list: 1 });
    const grown = { ...values, list: [...long, 'last'] };
    const child = { ...checkpoint('2', grown), channel_versions: { kept: 1, list: 2 } };
    const putting = saver.put(before, child, {}, { list: 2 });
    await waits;
    await saver.deleteThread('t');
    const put = checkpoint('1', again);
    await saver.put(thread, put, {}, put.channel_versions);
    goOn();
    const tuple = await saver.getTuple(await putting);
    expect(tuple?.checkpoint.channel_values).toEqual(grown);
    expect((await saver.getTuple(before))?.checkpoint.channel_values).toEqual(again);
  });
});

describe('a checkpoint that others rest on', () => {
  it('knows how many they are, also of those that come at once: whoever would remove it notices each', async () => {
    const { store, saver } = await made();
    const values = { kept: 'kept' };
    const before = await saver.put(thread, checkpoint('1', values), {}, { kept: 1 });
    const ids = ['2', '3', '4', '5'];
    await Promise.all(ids.map((id) => saver.put(before, checkpoint(id, values), {}, {})));
    const checkpoints = store.records.collection(collections.graphCheckpoints);
    const record = await checkpoints.get(['t', '', '1'], 'columns');
    expect(record?.columns['children']).toBe(4);
  });
});

describe('a thread that is pruned while a branch begins at what leaves', () => {
  it('keeps the branch whole', async () => {
    for (let turns = 0; turns < 60; turns += 1) {
      const { saver } = await made();
      const values = { kept: 'kept' };
      const first = await saver.put(thread, checkpoint('1', values), {}, { kept: 1 });
      const versions = { kept: 2 };
      const other = { ...checkpoint('2', { kept: 'other' }), channel_versions: versions };
      await saver.put(first, other, {}, versions);
      const branching = saver.put(first, checkpoint('3', values), {}, {});
      await settle(turns);
      await Promise.all([branching, saver.prune('t')]);
      expect((await saver.getTuple(thread))?.checkpoint.channel_values).toEqual(values);
    }
  });
});

describe('a copy of a thread', () => {
  it('has nothing of what stood under its name, such as a copy that was cut off', async () => {
    const { saver } = await made();
    const config = await saver.put(thread, checkpoint('1', { a: 1 }), {}, { a: 1 });
    await saver.putWrites(config, [['a', 'own']], 'task');
    const configurable = { thread_id: 'copy', checkpoint_ns: '', checkpoint_id: '1' };
    await saver.putWrites({ configurable }, [['a', 'left']], 'other');
    expect(await saver.copyThread('t', 'copy')).toBe(1);
    expect((await saver.getTuple({ configurable }))?.pendingWrites).toEqual([['task', 'a', 'own']]);
  });
});
