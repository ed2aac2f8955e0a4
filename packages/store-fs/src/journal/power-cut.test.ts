import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreBackend } from '@ctx/store/backend';
import { afterEach, describe, expect, it } from 'vitest';
import { bootId } from '../lock/lock-owner.ts';
import type { QuarantineReport } from '../store-options.ts';
import { freshFolder, openBackend, treeOf } from '../test-support/folder.ts';
import { outputPut } from '../test-support/records.ts';
import { decodeLines, encodeLine } from './journal-line.ts';

let backend: StoreBackend | undefined;

afterEach(async () => {
  await backend?.close();
  backend = undefined;
});

/** A store as a machine that stopped before the last write ended left it: `one` and `two` were acknowledged. */
async function stoppedStore(segments: readonly string[] = []): Promise<string> {
  const [running, folder] = [freshFolder(), join(freshFolder(), 'store')];
  backend = await openBackend(running, { segments });
  await backend.write([outputPut('one', 1)]);
  await backend.write([outputPut('two', 2)]);
  cpSync(running, folder, { recursive: true });
  const [name = ''] = readdirSync(join(folder, '.index'));
  const journal = join(folder, '.index', name);
  const lines: Buffer[] = [];
  const bytes = readFileSync(journal);
  decodeLines(bytes, 0, (line, end) => {
    const isOpened = line.type === 'opened';
    const boot = isOpened ? line.boot.replace(/^./, (sign) => (sign === '0' ? '1' : '0')) : '';
    const start = lines.reduce((sum, { length }) => sum + length, 0);
    lines.push(isOpened ? encodeLine({ ...line, boot }) : bytes.subarray(start, end));
  });
  writeFileSync(journal, Buffer.concat(lines));
  return folder;
}

const fileOf = (folder: string, id: string): string => join(folder, `t/outputs/s/${id}.json`);

/** What a write left whose file did not get to the disk: its name is there, and some of its bytes. */
function leaveCutOff(folder: string, id: string, bytes: number): void {
  writeFileSync(fileOf(folder, id), readFileSync(fileOf(folder, 'one')).subarray(0, bytes));
}

describe.skipIf(bootId() === '')('after a power cut', () => {
  it.each([0, 100])('a write of %i bytes that was not acknowledged is not there', async (bytes) => {
    const folder = await stoppedStore();
    leaveCutOff(folder, 'three', bytes);
    const reports: QuarantineReport[] = [];
    const again = await openBackend(folder, { onQuarantine: (report) => reports.push(report) });
    const keys = ['one', 'two', 'three'].map((id) => ['t', 's', id]);
    const found = await again.get('outputs', keys);
    expect(found.map((record) => record?.columns['number'])).toEqual([1, 2, undefined]);
    expect(reports.map(({ path }) => path)).toEqual(['t/outputs/s/three.json']);
    await again.write([outputPut('three', 3)]);
    expect(await again.get('outputs', keys)).toMatchObject([{}, {}, { version: 1 }]);
    await again.close();
    const later = await openBackend(folder);
    expect(await later.get('outputs', keys)).toMatchObject([{}, {}, { version: 1 }]);
    await later.close();
  });

  it('a record that was acknowledged and is damaged is named as such', async () => {
    const folder = await stoppedStore();
    truncateSync(fileOf(folder, 'two'), 100);
    const again = await openBackend(folder);
    await expect(again.get('outputs', [['t', 's', 'two']])).rejects.toMatchObject({
      code: 'CTX_STORE_CORRUPT',
    });
    await again.close();
  });

  it('a record whose line the index lost is there', async () => {
    const folder = await stoppedStore();
    const [name = ''] = readdirSync(join(folder, '.index'));
    const journal = join(folder, '.index', name);
    const lines = readFileSync(journal, 'utf8').split('\n');
    truncateSync(journal, Buffer.byteLength(lines.slice(0, -2).join('\n')) + 1);
    const again = await openBackend(folder);
    expect(await again.get('outputs', [['t', 's', 'two']])).toMatchObject([{ version: 1 }]);
    await again.close();
  });

  it('is read without being changed', async () => {
    const folder = await stoppedStore();
    leaveCutOff(folder, 'three', 50);
    const before = treeOf(folder);
    const again = await openBackend(folder, { readOnly: true });
    const keys = ['one', 'three'].map((id) => ['t', 's', id]);
    expect(await again.get('outputs', keys)).toMatchObject([{ version: 1 }, undefined]);
    await again.close();
    expect(treeOf(folder)).toEqual(before);
  });
});

/** The segment of the stopped store. */
function segmentOf(folder: string): string {
  return join(
    folder,
    treeOf(folder).find((path) => /segment-\d+\.jsonl$/.test(path)) ?? 'no segment',
  );
}

describe.skipIf(bootId() === '')('after a power cut, where records share a file', () => {
  const keys = ['one', 'two', 'three'].map((id) => ['t', 's', id]);
  const segments = ['outputs'];

  it.each([10, 100, 200])(
    '%i bytes of a line that was not acknowledged are not there',
    async (bytes) => {
      const folder = await stoppedStore(segments);
      const segment = segmentOf(folder);
      const line = readFileSync(segment, 'utf8').split('\n')[0]?.replaceAll('one', 'three') ?? '';
      writeFileSync(segment, line.slice(0, bytes), { flag: 'a' });
      const again = await openBackend(folder, { segments });
      expect(await again.get('outputs', keys)).toMatchObject([{}, {}, undefined]);
      await again.write([outputPut('three', 3)]);
      await again.close();
      rmSync(join(folder, '.index'), { recursive: true });
      const later = await openBackend(folder, { segments });
      expect(await later.get('outputs', keys)).toMatchObject([{}, {}, { version: 1 }]);
      await later.close();
    },
  );

  it('zeroes behind the lines are not there', async () => {
    const folder = await stoppedStore(segments);
    writeFileSync(segmentOf(folder), Buffer.alloc(300), { flag: 'a' });
    const again = await openBackend(folder, { segments });
    expect(await again.get('outputs', keys)).toMatchObject([{}, {}, undefined]);
    await again.close();
  });

  it('a line that was acknowledged and is damaged is named as such', async () => {
    const folder = await stoppedStore(segments);
    const segment = segmentOf(folder);
    truncateSync(segment, readFileSync(segment).length - 20);
    const again = await openBackend(folder, { segments });
    const read = again.get('outputs', [['t', 's', 'two']]);
    await expect(read).rejects.toMatchObject({ code: 'CTX_STORE_CORRUPT' });
    expect(await again.get('outputs', [['t', 's', 'one']])).toMatchObject([{ version: 1 }]);
    await again.close();
  });

  it('a record whose line the index lost is there', async () => {
    const folder = await stoppedStore(segments);
    const [name = ''] = readdirSync(join(folder, '.index'));
    const journal = join(folder, '.index', name);
    const lines = readFileSync(journal, 'utf8').split('\n');
    truncateSync(journal, Buffer.byteLength(lines.slice(0, -2).join('\n')) + 1);
    const again = await openBackend(folder, { segments });
    expect(await again.get('outputs', keys)).toMatchObject([{}, { version: 1 }, undefined]);
    await again.close();
  });
});
