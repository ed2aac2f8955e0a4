import { describe, expect, it } from 'vitest';
import {
  createMemoryPlace,
  type MemoryPlace,
  memoryBackend,
} from '../../backend/memory/memory-backend.ts';
import type { StoreBackend } from '../../backend/store-backend.ts';
import { outputsCollection, storeCollections } from '../../collections/collections.ts';
import { type ContextStore, openStore } from '../../open-store.ts';
import { accessCollection } from '../../records/collection-access.ts';

/** The same backend on another place. */
const on = ({ supports }: StoreBackend, place: MemoryPlace): StoreBackend => ({
  ...memoryBackend({ place }),
  supports,
});

/** A backend without full text. */
function withoutSearch(): StoreBackend {
  const backend = memoryBackend();
  return { ...backend, supports: { ...backend.supports, search: false } };
}

async function save(store: ContextStore, toolName: string, args: unknown, result: string) {
  const { pointer } = await store.outputs.save({ sessionId: 's', toolName, args, result });
  return pointer.id;
}

async function fill(store: ContextStore) {
  return {
    config: await save(store, 'Read', { file_path: 'src/config.ts' }, 'export const port = 8080;'),
    server: await save(store, 'Read', { file_path: 'src/server.ts' }, 'listen(port)'),
    tests: await save(store, 'Bash', { command: 'npm test' }, 'TimeoutError in checkout'),
    other: await save(store, 'Bash', { command: 'ls' }, 'README.md'),
  };
}

const idsOf = ({ selected }: { selected: readonly { pointer: { id: string } }[] }): string[] =>
  selected.map(({ pointer }) => pointer.id);

describe.each([
  ['with full text', memoryBackend],
  ['without full text', withoutSearch],
])('relevant outputs %s', (_name, backend) => {
  it('put the file that the prompt names first', async () => {
    const store = await openStore(backend());
    const ids = await fill(store);
    const found = await store.outputs.relevant({
      sessionId: 's',
      prompt: 'Why does server.ts fail?',
    });
    expect(idsOf(found)[0]).toBe(ids.server);
    expect(found.fallback).toBe(false);
  });

  it('find words that only the result holds', async () => {
    const store = await openStore(backend());
    const ids = await fill(store);
    const prompt = 'What about the timeout error of the checkout?';
    const found = await store.outputs.relevant({ sessionId: 's', prompt, maxResults: 4 });
    const tests = found.selected.find(({ pointer }) => pointer.id === ids.tests);
    const other = found.selected.find(({ pointer }) => pointer.id === ids.other);
    expect(tests?.parts?.text).toBeGreaterThan(0);
    expect(other?.parts?.text ?? 0).toBe(0);
    expect(tests?.score).toBeGreaterThan(other?.score ?? 0);
  });

  it('find words of a result that another output holds', async () => {
    const store = await openStore(backend());
    const result = `needle ${'x '.repeat(2000)}`;
    const ids = [await save(store, 'A', {}, result), await save(store, 'B', {}, result)];
    await save(store, 'C', {}, 'other');
    const found = await store.outputs.relevant({ sessionId: 's', prompt: 'the needle?' });
    for (const id of ids) {
      const hit = found.selected.find(({ pointer }) => pointer.id === id);
      expect(hit?.parts?.text).toBeGreaterThan(0);
    }
  });

  it('see what another process numbered at the same time', async () => {
    const place = createMemoryPlace();
    const [mine, other] = [
      await openStore(on(backend(), place), { ids: () => 'z' }),
      await openStore(on(backend(), place), { ids: () => 'a' }),
    ];
    const late = on(backend(), place);
    await late.open(storeCollections);
    await save(mine, 'Read', { file_path: 'one.ts' }, 'one');
    await mine.outputs.relevant({ sessionId: 's', prompt: 'one.ts' });
    const { id } = (
      await other.outputs.save({
        sessionId: 's',
        toolName: 'Read',
        args: { file_path: 'two.ts' },
        result: '',
      })
    ).pointer;
    const collection = accessCollection(late, outputsCollection, 'default');
    await late.write([collection.patch({ key: ['s', id], columns: { sequence: 0 } })]);
    const found = await mine.outputs.relevant({ sessionId: 's', prompt: 'two.ts' });
    expect(idsOf(found)[0]).toBe(id);
  });

  it('are the same for many who ask at once', async () => {
    const store = await openStore(backend());
    await fill(store);
    const request = { sessionId: 's', prompt: 'Why does server.ts fail?' };
    const answers = await Promise.all([1, 2, 3].map(() => store.outputs.relevant(request)));
    await save(store, 'Read', { file_path: 'src/server.ts' }, 'listen(port + 1)');
    const later = await Promise.all([1, 2, 3].map(() => store.outputs.relevant(request)));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    for (const answer of later) expect(answer).toEqual(later[0]);
  });

  it('see what was saved since, and nothing that was deleted', async () => {
    const store = await openStore(backend());
    const ids = await fill(store);
    const prompt = 'server.ts and client.ts';
    await store.outputs.relevant({ sessionId: 's', prompt });
    const client = await save(store, 'Read', { file_path: 'src/client.ts' }, 'connect()');
    await store.outputs.delete([{ sessionId: 's', id: ids.server }]);
    const found = idsOf(await store.outputs.relevant({ sessionId: 's', prompt }));
    expect(found[0]).toBe(client);
    expect(found).not.toContain(ids.server);
  });

  it('fall back to the most recent within the budget, and say so', async () => {
    const store = await openStore(backend());
    const ids = await fill(store);
    const found = await store.outputs.relevant({
      sessionId: 's',
      prompt: 'zzz',
      fallbackResults: 2,
    });
    expect(found.fallback).toBe(true);
    expect(idsOf(found)).toEqual([ids.other, ids.tests]);
    const empty = await store.outputs.relevant({ sessionId: 'nobody', prompt: 'server' });
    expect(empty.selected).toEqual([]);
  });
});

describe('the keyword strategy', () => {
  it('is the seed: overlap with the description, everything when none matches, within the budgets', async () => {
    const store = await openStore(memoryBackend());
    const ids = await fill(store);
    const ask = async (prompt: string, maxResults = 10) =>
      idsOf(
        await store.outputs.relevant({ sessionId: 's', prompt, strategy: 'keyword', maxResults }),
      );
    expect(await ask('the server please')).toEqual([ids.server]);
    expect(await ask('zzz')).toEqual([ids.config, ids.server, ids.tests, ids.other]);
    expect(await ask('zzz', 2)).toEqual([ids.config, ids.server]);
  });
});

describe('a reranker', () => {
  it('may lift what words do not find', async () => {
    const store = await openStore(memoryBackend());
    const ids = await fill(store);
    const found = await store.outputs.relevant({
      sessionId: 's',
      prompt: 'zzz',
      reranker: ({ ids: asked }) => new Map(asked.map((id) => [id, id === ids.config ? 9 : 0])),
    });
    expect(found.fallback).toBe(false);
    expect(found.selected.find(({ pointer }) => pointer.id === ids.config)?.parts?.reranked).toBe(
      0.5,
    );
  });
});

describe('relevant outputs', () => {
  it('follow the prompt where the messages before it say much about something else', async () => {
    const store = await openStore(memoryBackend());
    await save(store, 'Note', { about: 'a' }, 'The warranty of the heat pump is ten years.');
    const billing = 'billing invoice tax refund ledger payment account receipt due credit';
    for (const about of ['b', 'c', 'd']) {
      await save(store, 'Note', { about }, `${billing}, and the warranty.`);
    }
    const found = await store.outputs.relevant({
      ...{ sessionId: 's', prompt: 'How long is the pump warranty?', maxResults: 4 },
      history: [billing, `${billing} again`],
      policy: { recencyWeight: 0 },
    });
    expect(found.selected[0]?.pointer.args).toEqual({ about: 'a' });
  });

  it('may be reordered by a reranker that reads the call and the result, with its weight', async () => {
    const store = await openStore(memoryBackend());
    const ids = await fill(store);
    const asked: string[][] = [];
    const reranker = ({
      ids: names,
      texts = [],
    }: {
      ids: readonly string[];
      texts?: readonly string[];
    }) => {
      asked.push([...texts]);
      return new Map(
        names.map((id, at) => [id, texts[at]?.includes('TimeoutError') === true ? 1 : 0]),
      );
    };
    const request = { sessionId: 's', prompt: 'server.ts', reranker };
    expect(idsOf(await store.outputs.relevant(request))[0]).toBe(ids.server);
    const weighed = await store.outputs.relevant({ ...request, rerankWeight: 5 });
    expect(idsOf(weighed)[0]).toBe(ids.tests);
    expect(asked[0]).toHaveLength(4);
    expect(asked[0]?.join('\n')).toContain('npm test');
    const signal = AbortSignal.abort();
    await expect(store.outputs.relevant({ ...request, signal })).rejects.toThrow('aborted');
  });

  it.each([
    ['a backend that searches', memoryBackend],
    ['a backend without full text', withoutSearch],
  ])('are found by their words behind the newest 1,000: %s', async (_name, backend) => {
    const store = await openStore(backend());
    const old = await save(store, 'Read', { file_path: 'src/quartz.ts' }, 'the quartzite constant');
    const newer = Array.from({ length: 1001 }, (_, at) => save(store, 'Bash', { at }, 'x'));
    await Promise.all(newer);
    for (const prompt of ['what is quartzite?', 'quartz.ts']) {
      expect(idsOf(await store.outputs.relevant({ sessionId: 's', prompt }))[0]).toBe(old);
    }
  });
});
