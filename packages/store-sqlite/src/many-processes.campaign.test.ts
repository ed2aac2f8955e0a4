import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteStore } from './open-sqlite-store.ts';
import { sqliteBackend } from './sqlite-backend.ts';
import { temporaryFolder } from './test-support/places.ts';
import { paperIds, papers, putPaper } from './test-support/records.ts';
import { bundleChild, endOf, startChild, writeThreadProgram } from './test-support/run-child.ts';

test.for([
  ['', undefined],
  [', two of them on threads', writeThreadProgram],
] as const)(
  'keeps each of 400 updates that four processes make to one record%s',
  {
    timeout: 60_000,
  },
  async ([, thread]) => {
    const program = await bundleChild('add-one');
    const path = join(temporaryFolder(), 'ctx.db');
    const writeThread = await thread?.();
    const threads = [undefined, undefined, writeThread, writeThread];
    const ends = await Promise.all(
      threads.map((one) => endOf(startChild(program, [path, '100'], one))),
    );
    expect(ends.map(({ code, errors }) => [code, errors])).toEqual(
      [0, 0, 0, 0].map((code) => [code, '']),
    );
    const backend = sqliteBackend({ path });
    await backend.open([papers]);
    const [record] = await backend.get('papers', [['t', 's', 'counter']]);
    expect([record?.body, record?.version]).toEqual(['400', 400]);
    await backend.close();
  },
);

test('numbers the outputs that four processes save into one session without a gap or a double', {
  timeout: 60_000,
}, async () => {
  const program = await bundleChild('save-outputs');
  const path = join(temporaryFolder(), 'ctx.db');
  const ends = await Promise.all(
    ['a', 'b', 'c', 'd'].map((label) => endOf(startChild(program, [path, '10', label]))),
  );
  expect(ends.map(({ code, errors }) => [code, errors])).toEqual(
    [0, 0, 0, 0].map((code) => [code, '']),
  );
  const store = await openSqliteStore({ path });
  const { entries } = await store.outputs.pointers({ sessionId: 'shared', limit: 100 });
  expect(entries.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: 40 }, (_, at) => at),
  );
  await store.close();
});

test('an open waits while another process has the file for itself', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const before = sqliteBackend({ path });
  await before.open([papers]);
  await before.close();
  const child = startChild(await bundleChild('hold-file'), [path, '300']);
  const end = endOf(child);
  await once(child.stdout, 'data');
  const backend = sqliteBackend({ path });
  await backend.open([papers]);
  await backend.close();
  expect(await end).toMatchObject({ code: 0, errors: '' });
});

test('two backends of one process on one file see each other and neither waits', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const first = sqliteBackend({ path });
  const second = sqliteBackend({ path: join(path, '..', '.', 'ctx.db') });
  await Promise.all([first.open([papers]), second.open([papers])]);
  const many = Array.from({ length: 1000 }, (_, at) => putPaper(`a${at}`));
  await Promise.all([first.write(many), second.write([putPaper('b')])]);
  expect(await paperIds(second)).toHaveLength(1001);
  await first.close();
  await second.write([putPaper('c')]);
  expect(await paperIds(second)).toHaveLength(1002);
  await second.close();
});

test('never shows a half-done write to readers of the same process', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const backend = sqliteBackend({ path });
  await backend.open([papers]);
  const many = Array.from({ length: 2000 }, (_, at) => putPaper(`a${at}`));
  const other = sqliteBackend({ path });
  await other.open([papers]);
  const seen = new Set<number>();
  const writing = backend.write(many);
  const [first, second] = await Promise.all([
    other.tally({ collection: 'papers', index: 'key', equal: ['t'] }),
    backend.tally({ collection: 'papers', index: 'key', equal: ['t'] }),
  ]);
  for (const tally of [...first, ...second]) seen.add(tally.count);
  await writing;
  expect([...seen].filter((count) => count !== 0 && count !== 2000)).toEqual([]);
  await Promise.all([backend.close(), other.close()]);
});

test('a close during the open leaves nothing open', async () => {
  const folder = temporaryFolder();
  const backend = sqliteBackend({ path: join(folder, 'ctx.db') });
  await Promise.all([backend.open([papers]), backend.close()]);
  await expect(backend.get('papers', [])).rejects.toMatchObject({ code: 'CTX_STORE_CLOSED' });
  expect(readdirSync(folder)).toEqual(['ctx.db', 'ctx.db-mark']);
});
