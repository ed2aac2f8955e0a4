import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { quarantineFolderName } from './files/file-layout.ts';
import type { QuarantineReport } from './store-options.ts';
import { freshFolder, openBackend, treeOf } from './test-support/folder.ts';
import { outputPut, sessionPut } from './test-support/records.ts';

const place = 't/outputs/s/one.json';
const key = ['t', 's', 'one'];

let folder = '';
let reports: QuarantineReport[] = [];
const onQuarantine = (report: QuarantineReport): void => {
  reports.push(report);
};

function flipByte(path: string): void {
  const bytes = readFileSync(path);
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

const damages: readonly (readonly [string, (path: string) => void])[] = [
  [
    'a cut off file',
    (path) => {
      truncateSync(path, 50);
    },
  ],
  [
    'an empty file',
    (path) => {
      truncateSync(path, 0);
    },
  ],
  ['a flipped byte', flipByte],
  [
    'zeroes',
    (path) => {
      writeFileSync(path, Buffer.alloc(300));
    },
  ],
  [
    'a foreign file',
    (path) => {
      writeFileSync(path, '{"hello":"world"}\n');
    },
  ],
  [
    'the file of another record',
    (path) => {
      writeFileSync(path, readFileSync(path.replace('one.json', 'two.json')));
    },
  ],
  [
    'a huge file',
    (path) => {
      truncateSync(path, 3 * 2 ** 30);
    },
  ],
  [
    'a folder',
    (path) => {
      rmSync(path);
      mkdirSync(join(path, 'inside'), { recursive: true });
    },
  ],
  [
    'a link',
    (path) => {
      rmSync(path);
      symlinkSync('/etc/hostname', path);
    },
  ],
];

describe('a record whose file is damaged', () => {
  beforeEach(async () => {
    folder = freshFolder();
    reports = [];
    const backend = await openBackend(folder);
    await backend.write([outputPut('one', 1, 500), outputPut('two', 2, 500)]);
    await backend.close();
  });

  it.each(damages)('%s is set aside and named; the rest works on', async (_, damage) => {
    damage(join(folder, place));
    const backend = await openBackend(folder, { onQuarantine });
    const read = backend.get('outputs', [key]);
    await expect(read).rejects.toThrow(/one.*\.quarantine\/.*write the record again, or delete it/);
    await expect(backend.get('outputs', [key])).rejects.toMatchObject({
      code: 'CTX_STORE_CORRUPT',
    });
    expect(reports).toMatchObject([{ path: place, restored: false }]);
    expect(treeOf(folder)).toContain(reports[0]?.movedTo);
    const [two] = await backend.get('outputs', [['t', 's', 'two']]);
    expect(two?.columns).toEqual({ number: 2 });
    const scanned: unknown[] = [];
    const scan = async (part: 'whole' | 'columns'): Promise<void> => {
      const all = { collection: 'outputs', index: 'key', equal: ['t', 's'] };
      for await (const record of backend.scan({ ...all, part })) scanned.push(record.key[2]);
    };
    await expect(scan('whole')).rejects.toThrow(/one.*\.quarantine\//);
    await scan('columns');
    expect(scanned).toEqual(['two', 'two']);
    await backend.write([outputPut('one', 3)]);
    expect((await backend.get('outputs', [key]))[0]?.columns).toEqual({ number: 3 });
  });

  it.each(damages)('%s is found by a rebuild of the index too', async (_, damage) => {
    damage(join(folder, place));
    rmSync(join(folder, '.index'), { recursive: true });
    const backend = await openBackend(folder, { onQuarantine });
    expect(reports.length).toBeGreaterThanOrEqual(_ === 'a folder' ? 0 : 1);
    const query = { collection: 'outputs', index: 'by_number', equal: ['t', 's'] };
    expect(await backend.tally(query)).toEqual([{ group: [], count: 1, sums: [] }]);
    await backend.write([outputPut('one', 3)]);
    expect((await backend.get('outputs', [key]))[0]?.columns).toEqual({ number: 3 });
  });

  it('stays named over a reopen and a rebuild until it is deleted, which leaves no trace', async () => {
    flipByte(join(folder, place));
    const first = await openBackend(folder);
    await expect(first.get('outputs', [key])).rejects.toMatchObject({ code: 'CTX_STORE_CORRUPT' });
    await first.close();
    rmSync(join(folder, '.index'), { recursive: true });
    const second = await openBackend(folder);
    await expect(second.get('outputs', [key])).rejects.toMatchObject({ code: 'CTX_STORE_CORRUPT' });
    await second.write([{ type: 'delete', collection: 'outputs', key }]);
    expect(await second.get('outputs', [key])).toEqual([undefined]);
    expect(readdirSync(join(folder, quarantineFolderName))).toEqual([]);
  });

  it('fails a patch and is set aside by it', async () => {
    flipByte(join(folder, place));
    const backend = await openBackend(folder, { onQuarantine });
    const patch = { type: 'patch', collection: 'outputs', key, columns: { number: 9 } } as const;
    await expect(backend.write([patch])).rejects.toMatchObject({ code: 'CTX_STORE_CORRUPT' });
    expect(reports).toHaveLength(1);
    await expect(backend.write([patch])).rejects.toMatchObject({ code: 'CTX_STORE_CONFLICT' });
  });

  it('reads as missing where somebody removed its file', async () => {
    rmSync(join(folder, place));
    const backend = await openBackend(folder);
    expect(await backend.get('outputs', [key])).toEqual([undefined]);
    const query = { collection: 'outputs', index: 'by_number', equal: ['t', 's'] };
    expect(await backend.tally(query)).toEqual([{ group: [], count: 1, sums: [] }]);
    await backend.write([{ ...outputPut('one', 4), expectVersion: 0 }]);
    expect((await backend.get('outputs', [key]))[0]?.version).toBe(1);
  });

  it('is not overwritten where the index knows of none', async () => {
    writeFileSync(join(folder, 't/outputs/s/new.json'), 'precious');
    const backend = await openBackend(folder, { onQuarantine });
    await backend.write([outputPut('new', 1)]);
    const movedTo = reports[0]?.movedTo ?? '';
    expect(readFileSync(join(folder, movedTo), 'utf8')).toBe('precious');
  });
});

describe('a session whose file is damaged', () => {
  it.each([false, true])('comes back from the copy before (rebuild: %s)', async (isRebuilt) => {
    folder = freshFolder();
    reports = [];
    const before = await openBackend(folder);
    await before.write([sessionPut('one', 1)]);
    await before.write([sessionPut('one', 2)]);
    await before.close();
    flipByte(join(folder, 't/sessions/one.json'));
    if (isRebuilt) rmSync(join(folder, '.index'), { recursive: true });
    const backend = await openBackend(folder, { onQuarantine });
    const [session] = await backend.get('sessions', [['t', 'one']]);
    expect(JSON.parse(session?.body ?? '')).toMatchObject({ number: 1 });
    expect(session?.columns).toEqual({ number: 1 });
    expect(session?.version).toBe(3);
    expect(reports).toMatchObject([{ path: 't/sessions/one.json', restored: true }]);
    await backend.write([{ ...sessionPut('one', 5), expectVersion: 3 }]);
    expect((await backend.get('sessions', [['t', 'one']]))[0]?.version).toBe(4);
  });

  it('keeps no copy before of a session that was deleted', async () => {
    folder = freshFolder();
    const backend = await openBackend(folder);
    await backend.write([sessionPut('one', 1)]);
    await backend.write([sessionPut('one', 2)]);
    expect(treeOf(folder)).toContain('t/sessions/one.json.prev');
    await backend.write([{ type: 'delete', collection: 'sessions', key: ['t', 'one'] }]);
    expect(treeOf(folder).filter((path) => path.startsWith('t'))).toEqual([]);
  });
});
