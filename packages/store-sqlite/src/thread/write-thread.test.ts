import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openStore } from '@ctx/store';
import type { OpenOptions, StoreBackend } from '@ctx/store/backend';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadDriver } from '../driver/driver.ts';
import { sqliteBackend } from '../sqlite-backend.ts';
import { temporaryFolder } from '../test-support/places.ts';
import { paperIds, papers, putPaper } from '../test-support/records.ts';
import { bundleChild, endOf, startChild, writeThreadProgram } from '../test-support/run-child.ts';

let program: URL;
beforeAll(async () => {
  program = await writeThreadProgram();
});

const pathOf = (): string => join(temporaryFolder(), 'ctx.db');

const marks = new WeakMap<StoreBackend, () => string | undefined>();

async function open(
  path: string,
  { writeThread = program, ...options }: OpenOptions & { writeThread?: URL } = {},
): Promise<StoreBackend> {
  const backend = sqliteBackend({ path, writeThread });
  const onMark: OpenOptions['onMark'] = (readMark) => {
    marks.set(backend, readMark);
  };
  await backend.open([papers], { onMark, ...options });
  return backend;
}

/** Who wrote between two marks: they count what others committed, then what their own connection did. */
function writerBetween(before: string | undefined, after: string | undefined): string {
  const [others, own] = (before ?? '').split(' ');
  const [othersAfter, ownAfter] = (after ?? '').split(' ');
  return `${othersAfter === others ? '' : 'thread'}${ownAfter === own ? '' : 'here'}`;
}

async function writerOf(backend: StoreBackend, id = 'a'): Promise<string> {
  const readMark = marks.get(backend);
  const before = readMark?.();
  await backend.write([putPaper(id)]);
  return writerBetween(before, readMark?.());
}

describe('a store that writes on a thread', () => {
  it('writes there, and what was written is read here at once', async () => {
    const backend = await open(pathOf());
    expect(await writerOf(backend)).toBe('thread');
    expect(await paperIds(backend)).toEqual(['a']);
    for (let number = 0; number < 50; number += 1) {
      await backend.write([putPaper('b', { body: String(number) })]);
      const [record] = await backend.get('papers', [['t', 's', 'b']]);
      expect(record?.body).toBe(String(number));
    }
    await backend.close();
  });

  it('tells conflicts as the store does, and does nothing of such a write', async () => {
    const backend = await open(pathOf());
    await backend.write([putPaper('a')]);
    const taken = backend.write([putPaper('b'), putPaper('a', { expectVersion: 0 })]);
    await expect(taken).rejects.toMatchObject({
      name: 'CtxError',
      code: 'CTX_STORE_CONFLICT',
      message: 'put of papers ["t","s","a"]: it has version 1',
    });
    expect(await paperIds(backend)).toEqual(['a']);
    await backend.close();
  });

  it('refuses what is no plain data, and goes on', async () => {
    const backend = await open(pathOf());
    const put = { ...putPaper('a'), body: (() => 'x') as unknown as string };
    await expect(backend.write([put])).rejects.toMatchObject({ code: 'CTX_INVALID_INPUT' });
    expect(await writerOf(backend)).toBe('thread');
    await backend.close();
  });

  it('finds words that wait in the records of a store', async () => {
    const store = await openStore(sqliteBackend({ path: pathOf(), writeThread: program }));
    await store.items.save({ agentId: 'ada', kind: 'CODE', content: 'a yellow submarine' });
    const { hits } = await store.items.search('ada', { text: 'submarine' });
    expect(hits.map(({ item }) => item.content)).toEqual(['a yellow submarine']);
    await store.close();
  });

  it('does what was asked for before a close, and refuses what comes behind it', async () => {
    const path = pathOf();
    const backend = await open(path);
    const ids = Array.from({ length: 60 }, (_, at) => String(at + 10));
    const writing = ids.map((id) => backend.write([putPaper(id)]));
    const closing = backend.close();
    await Promise.all([...writing, closing]);
    await expect(backend.write([putPaper('late')])).rejects.toMatchObject({
      code: 'CTX_STORE_CLOSED',
    });
    const again = sqliteBackend({ path });
    await again.open([papers]);
    expect(await paperIds(again)).toEqual(ids);
    await again.close();
  });

  it('fails what a thread that dies was doing, and writes here from then on', async () => {
    const dying = pathToFileURL(await bundleChild('threads/run-dying-thread'));
    const backend = await open(pathOf(), { writeThread: dying });
    const failed = await Promise.allSettled([
      backend.write([putPaper('a')]),
      backend.write([putPaper('b')]),
    ]);
    for (const result of failed) {
      expect(result).toMatchObject({ reason: { code: 'CTX_STORE_IO' } });
    }
    expect(await writerOf(backend, 'c')).toBe('here');
    expect(await paperIds(backend)).toContain('c');
    await backend.close();
  });

  it('writes here where the thread cannot be started, and warns of it', async () => {
    const nowhere = new URL('nowhere.mjs', program);
    const warned = once(process, 'warning');
    const backend = await open(pathOf(), { writeThread: nowhere });
    expect(await warned).toMatchObject([{ code: 'CTX_NO_WRITE_THREAD' }]);
    expect(await writerOf(backend)).toBe('here');
    await backend.close();
  });

  it('wants a driver by its name', async () => {
    const driver = await loadDriver();
    const make = () => sqliteBackend({ path: pathOf(), driver, writeThread: program });
    expect(make).toThrow('a function cannot be handed to a thread');
  });

  it('keeps no process alive that does not close it, but ends no write half-way', async () => {
    const path = pathOf();
    const child = startChild(await bundleChild('leave-open'), [path], program);
    expect(await endOf(child)).toEqual({ code: 0, output: '', errors: '' });
    const backend = await open(path);
    expect(await paperIds(backend)).toEqual(['left']);
    await backend.close();
  });
});
