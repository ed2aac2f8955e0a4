import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isCtxError } from '@ctx/core';
import type { PutOperation, StoreBackend } from '@ctx/store/backend';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FsStoreOptions, QuarantineReport } from './store-options.ts';
import { watchCalls } from './test-support/failing-calls.ts';
import { freshFolder, openBackend, treeOf } from './test-support/folder.ts';
import { outputPut, sessionPut } from './test-support/records.ts';

let folder = '';
beforeEach(() => {
  folder = freshFolder();
});

const open = (options: Omit<FsStoreOptions, 'path'> = {}): Promise<StoreBackend> =>
  openBackend(folder, { segments: ['outputs'], ...options });

/** An output of a name that tells its number. */
const put = (number: number, size = 10): PutOperation =>
  outputPut(`o${String(number).padStart(4, '0')}`, number, size);

const keyOf = (number: number): string[] => [...put(number).key];

/** The files below the folder of outputs. */
const files = (): string[] => treeOf(folder).filter((path) => /^t\/outputs\/s\/./.test(path));

const pathOf = (file: string | undefined): string => join(folder, file ?? 'no file');

/** What can be read, and what is said of the rest. */
async function numbers(backend: StoreBackend): Promise<unknown[]> {
  const found: unknown[] = [];
  const query = { collection: 'outputs', index: 'key', equal: ['t', 's'] };
  try {
    for await (const { columns, body } of backend.scan(query)) {
      const { number } = JSON.parse(body) as { number: unknown };
      found.push(columns['number'] === number ? number : [columns['number'], number]);
    }
  } catch (error) {
    found.push(isCtxError(error) ? error.code : error);
  }
  return found;
}

const corrupt = 'CTX_STORE_CORRUPT';

const remove = (number: number) =>
  ({ type: 'delete', collection: 'outputs', key: keyOf(number) }) as const;

const patch = (number: number, value: number) =>
  ({
    type: 'patch',
    collection: 'outputs',
    key: keyOf(number),
    columns: { number: value },
  }) as const;

describe('records that share a file', () => {
  it('are lines of JSON, one for each write, that say which records they are', async () => {
    const backend = await open();
    await backend.write([put(1), put(2)]);
    await backend.write([put(3)]);
    expect(files()).toEqual([expect.stringMatching(/^t\/outputs\/s\/segment-\d{12}\.jsonl$/)]);
    const lines = readFileSync(pathOf(files()[0]), 'utf8').split('\n');
    expect(lines.slice(0, -1).map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { collection: 'outputs', keys: [keyOf(1), keyOf(2)], records: [{ version: 1 }, {}] },
      { keys: [keyOf(3)], records: [{ body: JSON.parse(put(3).body) as unknown }] },
    ]);
    expect(await numbers(backend)).toEqual([1, 2, 3]);
    expect(await backend.get('outputs', [keyOf(2)])).toMatchObject([{ body: put(2).body }]);
  });

  it('cost no new file, three renames less and no folder: the same calls however long the session', async () => {
    const backend = await open({ durability: 'process' });
    await backend.write([put(0)]);
    const counts = new Map<string, number>();
    const watch = watchCalls((_, name) => counts.set(name, (counts.get(name) ?? 0) + 1));
    for (let number = 1; number <= 200; number++) await backend.write([put(number)]);
    watch.stop();
    expect(files().length).toBeLessThan(3);
    // Each write: the journal and the segment are written, and the lock is taken and released.
    expect(Object.fromEntries(counts)).toEqual({
      openSync: expect.toSatisfy((count: number) => count <= 202) as unknown,
      fstatSync: expect.toSatisfy((count: number) => count <= 200) as unknown,
      closeSync: expect.toSatisfy((count: number) => count <= 202) as unknown,
      writeSync: 400,
      renameSync: 400,
    });
  });

  it('fill a file up to its limit, and then the next', async () => {
    const backend = await open({ durability: 'process' });
    for (let number = 1; number <= 60; number++) await backend.write([put(number, 3_000)]);
    expect(files()).toHaveLength(3);
    for (const file of files())
      expect(readFileSync(pathOf(file)).length).toBeLessThanOrEqual(65_536);
    expect(await numbers(backend)).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
  });

  it('have files of their own where they are long, keep copies, or come with other changes', async () => {
    const backend = await open();
    await backend.write([put(1, 20_000)]);
    await backend.write([put(2), sessionPut('one', 1)]);
    await backend.close();
    const copying = await open({ previousCopies: ['outputs'] });
    await copying.write([put(3)]);
    expect(files()).toEqual(
      [1, 2, 3].map((number) => `t/outputs/s/${keyOf(number)[2] ?? ''}.json`),
    );
  });

  it('keep a body exactly, whatever its text', async () => {
    const bodies = [
      '{"a":1.0}',
      '{ "b" : [] }',
      '"\\u00e4"',
      `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
      '{"__proto__":1}',
    ];
    const backend = await open();
    for (const [number, body] of bodies.entries()) await backend.write([{ ...put(number), body }]);
    const keys = bodies.map((_, number) => keyOf(number));
    expect((await backend.get('outputs', keys)).map((record) => record?.body)).toEqual(bodies);
    expect(files()).toHaveLength(1);
  });

  it('are in order with those of a folder from before, and both are changed', async () => {
    const before = await openBackend(folder, { segments: [] });
    await before.write([put(1), put(2)]);
    await before.close();
    const backend = await open();
    await backend.write([put(3), put(4)]);
    await backend.write([remove(1), remove(3)]);
    await backend.write([patch(4, 4)]);
    expect(await numbers(backend)).toEqual([2, 4]);
  });

  it('are added to by several stores in turn, which all see all', async () => {
    const [one, other] = [await open(), await open()];
    for (let number = 1; number <= 10; number++)
      await (number % 2 === 0 ? one : other).write([put(number)]);
    for (const backend of [one, other])
      expect(await numbers(backend)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(files()).toHaveLength(1);
  });
});

describe('a record that leaves its segment', () => {
  it('leaves spaces when it is deleted, and no trace when the store is closed', async () => {
    const backend = await open();
    await backend.write([put(1), put(2)]);
    await backend.write([put(3)]);
    const [file] = files();
    const { length } = readFileSync(pathOf(file));
    await backend.write([remove(2)]);
    expect(readFileSync(pathOf(file))).toHaveLength(length);
    expect(await numbers(backend)).toEqual([1, 3]);
    await backend.close();
    const texts = treeOf(folder).filter((path) => /\.jsonl?$/.test(path));
    for (const path of texts) expect(readFileSync(pathOf(path), 'utf8')).not.toContain('o0002');
    rmSync(join(folder, '.index'), { recursive: true });
    expect(await numbers(await open())).toEqual([1, 3]);
  });

  it('takes the segment and its folder along when it was the last', async () => {
    const backend = await open();
    await backend.write([put(1), put(2)]);
    await backend.write([remove(1), remove(2)]);
    expect(treeOf(folder).filter((path) => path.startsWith('t'))).toEqual([]);
    await backend.write([put(1)]);
    expect(await numbers(backend)).toEqual([1]);
  });

  it('has a file of its own when it is changed', async () => {
    const backend = await open();
    await backend.write([put(1), put(2)]);
    await backend.write([{ ...put(1), body: '{"number":1,"new":true}' }]);
    const [own, segment] = files();
    expect(own).toBe('t/outputs/s/o0001.json');
    expect(readFileSync(pathOf(segment), 'utf8')).not.toContain('o0001');
    expect(await backend.get('outputs', [keyOf(1)])).toMatchObject([{ version: 2 }]);
    rmSync(join(folder, '.index'), { recursive: true });
    await backend.close();
    const again = await open();
    expect(await numbers(again)).toEqual([1, 2]);
    expect(await again.get('outputs', [keyOf(1)])).toMatchObject([{ version: 2 }]);
  });

  it('is told by its newer file where an old line was left', async () => {
    const backend = await open();
    await backend.write([put(1), put(2)]);
    const [segment] = files();
    const old = readFileSync(pathOf(segment));
    await backend.write([{ ...put(1), body: '{"number":1,"new":true}' }]);
    await backend.close();
    writeFileSync(pathOf(segment), old);
    rmSync(join(folder, '.index'), { recursive: true });
    const again = await open();
    expect(await again.get('outputs', [keyOf(1)])).toMatchObject([{ version: 2 }]);
    expect(readFileSync(pathOf(segment), 'utf8')).not.toContain('o0001');
  });
});

describe('a segment that is damaged', () => {
  const reports: QuarantineReport[] = [];
  const onQuarantine = (report: QuarantineReport): void => {
    reports.push(report);
  };

  beforeEach(async () => {
    reports.length = 0;
    const backend = await open();
    await backend.write([put(1), put(2)]);
    await backend.write([put(3)]);
    await backend.close();
  });

  const flip = (sign: string): void => {
    const bytes = readFileSync(pathOf(files()[0]));
    const at = bytes.indexOf(sign);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(pathOf(files()[0]), bytes);
  };

  it.each(['index', 'rebuild'])(
    'names the records of its bad line by the %s; the rest works on',
    async (by) => {
      flip('"filler":"yyy');
      if (by === 'rebuild') rmSync(join(folder, '.index'), { recursive: true });
      const backend = await open({ onQuarantine });
      for (const number of [1, 2]) {
        const read = backend.get('outputs', [keyOf(number)]);
        await expect(read).rejects.toThrow(/o000\d.*\.quarantine\/.*write the record again/);
      }
      expect(reports).toMatchObject([{ path: files()[0], restored: false }]);
      expect(readFileSync(pathOf(reports[0]?.movedTo), 'utf8')).toContain('o0001');
      expect(await numbers(backend)).toEqual([3, corrupt]);
      await backend.write([put(1)]);
      expect(await numbers(backend)).toEqual([1, 3, corrupt]);
      await backend.write([remove(1), remove(2)]);
      expect(readdirSync(join(folder, '.quarantine'))).toEqual([]);
    },
  );

  it('keeps nothing of a damaged record that is deleted, and names the other one still', async () => {
    const first = await open();
    await first.write([put(4)]);
    await first.close();
    const text = readFileSync(pathOf(files()[0]), 'utf8');
    // The first line names nobody any more, and the last one is damaged behind its names.
    const end = text.lastIndexOf('"filler"');
    writeFileSync(
      pathOf(files()[0]),
      `{"collectiom"${text.slice(13, end)}"filled"${text.slice(end + 8)}`,
    );
    writeFileSync(
      pathOf(files()[0]),
      readFileSync(pathOf(files()[0]), 'utf8').replace('"keys"', '"kezs"'),
    );
    const backend = await open();
    await backend.write([remove(1)]);
    expect(readFileSync(pathOf(files()[0]), 'utf8')).not.toContain('o0001');
    for (const number of [2, 4]) {
      const read = backend.get('outputs', [keyOf(number)]);
      await expect(read).rejects.toMatchObject({ code: 'CTX_STORE_CORRUPT' });
    }
    expect(await numbers(backend)).toEqual([3, corrupt]);
  });

  it('keeps nothing of a deleted record whose line was joined to another, and names the others still', async () => {
    const bytes = readFileSync(pathOf(files()[0]));
    bytes[bytes.indexOf('\n')] = 0;
    writeFileSync(pathOf(files()[0]), bytes);
    const backend = await open();
    await backend.write([remove(3)]);
    expect(files()).toEqual([]);
    expect(readdirSync(join(folder, '.quarantine')).filter((name) => !/note/.test(name))).toEqual(
      [],
    );
    for (const number of [1, 2])
      await expect(backend.get('outputs', [keyOf(number)])).rejects.toThrow(`o000${number}`);
    expect(await backend.get('outputs', [keyOf(3)])).toEqual([undefined]);
  });

  it('is left as it is by who only reads', async () => {
    flip('"filler":"yyy');
    const tree = treeOf(folder);
    for (let time = 0; time < 2; time++) {
      const backend = await open({ readOnly: true });
      const read = backend.get('outputs', [keyOf(1)]);
      await expect(read).rejects.toMatchObject({ code: 'CTX_STORE_CORRUPT' });
      expect(await numbers(backend)).toEqual([3, corrupt]);
      await backend.close();
      expect(treeOf(folder)).toEqual(tree.filter((path) => treeOf(folder).includes(path)));
      rmSync(join(folder, '.index'), { recursive: true, force: true });
    }
  });

  it('loses no record in silence where it is cut off, and is not added to', async () => {
    truncateSync(pathOf(files()[0]), 100);
    const backend = await open({ onQuarantine });
    await backend.write([put(4)]);
    for (const number of [1, 2, 3]) {
      const read = backend.get('outputs', [keyOf(number)]);
      await expect(read).rejects.toMatchObject({ code: 'CTX_STORE_CORRUPT' });
    }
    expect(await numbers(backend)).toEqual([4, corrupt]);
  });

  it('gives all other records where somebody has edited it, and is not added to', async () => {
    const [file] = files();
    writeFileSync(pathOf(file), `by hand\n${readFileSync(pathOf(file), 'utf8')}`);
    const backend = await open({ onQuarantine });
    await backend.write([put(4)]);
    expect(await numbers(backend)).toEqual([1, 2, 3, 4]);
    await backend.write([remove(1)]);
    expect(await numbers(backend)).toEqual([2, 3, 4]);
    expect(readFileSync(pathOf(file), 'utf8')).not.toContain('o0001');
  });

  it('reads as missing where somebody removed it', async () => {
    const before = await open();
    await before.write([sessionPut('one', 1)]);
    await before.close();
    rmSync(pathOf(files()[0]));
    const backend = await open();
    expect(await backend.get('outputs', [keyOf(1)])).toEqual([undefined]);
    await backend.write([put(1)]);
    expect(await numbers(backend)).toEqual([1]);
  });

  it('keeps what was whole before a line that was never ended', async () => {
    const [file] = files();
    appendFileSync(pathOf(file), readFileSync(pathOf(file)).subarray(0, 80));
    rmSync(join(folder, '.index'), { recursive: true });
    const backend = await open({ onQuarantine });
    expect(await numbers(backend)).toEqual([1, 2, 3]);
    expect(reports).toHaveLength(1);
  });
});
