import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore, storeCollections } from '@ctx/store';
import type { StoreBackend, WriteOperation } from '@ctx/store/backend';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import { backendOf } from '../store/open-store-url.ts';
import { runOn } from '../test-support/fake-host.ts';
import { anthropicSession, makeFolder, writeJsonFile } from '../test-support/sample-transcripts.ts';

const schemes = ['sqlite', 'fs'] as const;

interface Place {
  readonly cwd: string;
  readonly url: string;
  readonly backend: () => Promise<StoreBackend>;
}

/** A store with a session that was imported, shared results, items, and a checkpoint that names a replaced content. */
async function filled(scheme: 'sqlite' | 'fs'): Promise<Place> {
  const cwd = makeFolder();
  const path = join(cwd, 'store');
  const url = `${scheme}:${path}`;
  const backend = () => backendOf({ scheme, path, text: url });
  writeJsonFile(cwd, 'one.json', anthropicSession('one'));
  await runOn({ cwd }, 'import', 'one.json', '--store', url);
  const store = await openStore(await backend());
  for (const id of ['a', 'b', 'c']) {
    const call = {
      sessionId: 's',
      toolName: 'read',
      args: { id },
      result: 'the same result '.repeat(500),
    };
    await store.outputs.save({ ...call, callId: id });
  }
  await store.items.save({ agentId: 'ada', id: 'i', kind: 'note', content: 'first' });
  await store.close();
  await runOn({ cwd }, 'flash-save', '--agent', 'ada', '--store', url);
  const again = await openStore(await backend());
  await again.items.save({ agentId: 'ada', id: 'i', kind: 'note', content: 'second' });
  await again.close();
  return { cwd, url, backend };
}

async function write(place: Place, operations: readonly WriteOperation[]): Promise<void> {
  const backend = await place.backend();
  await backend.open(storeCollections);
  await backend.write(operations);
  await backend.close();
}

async function records(place: Place, collection: string) {
  const backend = await place.backend();
  await backend.open(storeCollections);
  const found = [];
  const query = { collection, index: 'key', equal: ['default'] } as const;
  for await (const record of backend.scan(query)) found.push(record);
  await backend.close();
  return found;
}

interface Answer {
  readonly problems: number;
  readonly left: number;
  readonly repaired: Readonly<Record<string, number>>;
  readonly findings: readonly { kind: string; collection: string; repaired?: string }[];
  readonly gone: { results: number; contents: number };
  readonly quarantine?: string;
}

async function verify(
  { cwd, url }: Place,
  ...flags: string[]
): Promise<{ exitCode: number; answer: Answer }> {
  const argv = ['verify', '--store', url, '--json', ...flags];
  const { exitCode, stdout, stderr } = await runOn({ cwd }, ...argv);
  expect(stderr).toBe('');
  return { exitCode, answer: JSON.parse(stdout) as Answer };
}

/** Repairs, and proves that nothing is left for the next check. */
async function expectRepaired(place: Place, how: Readonly<Record<string, number>>): Promise<void> {
  const mended = await verify(place, '--repair');
  expect([mended.exitCode, mended.answer.repaired]).toEqual([
    0,
    { quarantined: 0, mended: 0, removed: 0, ...how },
  ]);
  const after = await verify(place);
  expect([after.exitCode, after.answer.problems]).toEqual([0, 0]);
}

test.each(schemes)('a good %s store has no problems, and is not changed', async (scheme) => {
  const place = await filled(scheme);
  const before = await records(place, 'outputs');
  const { exitCode, answer } = await verify(place);
  expect([exitCode, answer.problems, answer.gone]).toEqual([0, 0, { results: 0, contents: 0 }]);
  const repaired = await verify(place, '--repair');
  expect(repaired.answer.repaired).toEqual({ quarantined: 0, mended: 0, removed: 0 });
  expect(await records(place, 'outputs')).toEqual(before);
  expect(existsSync(`${join(place.cwd, 'store')}.quarantine`)).toBe(false);
});

test.each(schemes)(
  'a changed result and a changed content are found by their checksums (%s)',
  async (scheme) => {
    const place = await filled(scheme);
    const [output] = (await records(place, 'outputs')).filter(({ key }) => key[1] === 'one');
    const [item] = await records(place, 'items');
    if (output === undefined || item === undefined) throw new Error('nothing was stored');
    const changed = { type: 'put', words: {} } as const;
    await write(place, [
      {
        ...changed,
        collection: 'outputs',
        key: output.key,
        columns: output.columns,
        body: '{"args":{},"result":"forged"}',
      },
      {
        ...changed,
        collection: 'items',
        key: item.key,
        columns: item.columns,
        body: item.body.replace('second', 'forged'),
      },
    ]);
    const { exitCode, answer } = await verify(place);
    expect(exitCode).toBe(1);
    expect(answer.findings.map(({ kind, collection }) => `${kind} ${collection}`).sort()).toEqual([
      'wrong-checksum items',
      'wrong-checksum outputs',
    ]);
    expect((await records(place, 'items'))[0]?.body).toContain('forged');
    await expectRepaired(place, { quarantined: 2 });
    const folder = `${join(place.cwd, 'store')}.quarantine`;
    const kept = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(kept.filter((text) => text.includes('forged'))).toHaveLength(2);
    const { gone } = (await verify(place)).answer;
    expect(gone).toEqual({ results: 1, contents: 0 });
  },
);

test.each(schemes)(
  'a dangling pointer is tied to an equal result, or taken out (%s)',
  async (scheme) => {
    const place = await filled(scheme);
    const shared = (await records(place, 'outputs')).filter(({ key }) => key[1] === 's');
    const users = shared.filter(({ columns }) => columns['content_of'] !== null);
    const [first, second] = users;
    const holder = shared.find(({ columns }) => columns['content_of'] === null);
    if (!first || !second || !holder) throw new Error('the results are not shared');
    const patch = { type: 'patch', collection: 'outputs' } as const;
    await write(place, [{ ...patch, key: first.key, columns: { content_of: 'nobody' } }]);
    const { answer } = await verify(place);
    expect(answer.findings.map(({ kind }) => kind)).toEqual(['dangling-pointer']);
    await expectRepaired(place, { mended: 1 });
    await write(place, [{ type: 'delete', collection: 'outputs', key: holder.key }]);
    expect((await verify(place)).answer.findings.map(({ kind }) => kind)).toEqual([
      'dangling-pointer',
      'dangling-pointer',
    ]);
    await expectRepaired(place, { quarantined: 2 });
  },
);

test.each(schemes)('a wrong count of who shows a result is mended (%s)', async (scheme) => {
  const place = await filled(scheme);
  const [holder] = (await records(place, 'outputs')).filter(
    ({ columns }) => columns['content_users'] !== 0,
  );
  if (holder === undefined) throw new Error('the results are not shared');
  const patch = { type: 'patch', collection: 'outputs', key: holder.key } as const;
  await write(place, [{ ...patch, columns: { content_users: 0 } }]);
  expect((await verify(place)).answer.findings.map(({ kind }) => kind)).toEqual(['wrong-count']);
  await expectRepaired(place, { mended: 1 });
  expect(
    (await records(place, 'outputs')).find(({ key }) => key[2] === holder.key[2])?.columns,
  ).toMatchObject({
    content_users: 2,
  });
});

test.each(schemes)(
  'records without an owner are removed, broken ones kept aside (%s)',
  async (scheme) => {
    const place = await filled(scheme);
    const [part] = await records(place, 'checkpoint_parts');
    const [event] = await records(place, 'events');
    const [content] = await records(place, 'item_contents');
    if (!part || !event || !content) throw new Error('nothing was stored');
    const { body, columns } = content;
    await write(place, [
      {
        type: 'put',
        collection: 'checkpoint_parts',
        key: ['default', 'ada', '000000000099', '000000000000'],
        columns: {},
        body: part.body,
      },
      {
        type: 'put',
        collection: 'item_contents',
        key: ['default', 'bob', 'i', content.key[3] ?? ''],
        columns,
        body,
      },
      {
        type: 'put',
        collection: 'compactions',
        key: ['default', 'nobody', '000000000000'],
        columns: {
          at: 1,
          state: 'applied',
          trigger: 'manual',
          strategy: 'x',
          tokens_before: 1,
          tokens_after: 1,
        },
        body: '{}',
      },
      { type: 'put', collection: 'events', key: event.key, columns: event.columns, body: '{"torn' },
      {
        type: 'put',
        collection: 'facts',
        key: ['default', 'ada', 'f'],
        columns: {
          source: 'user',
          trust: 'trusted',
          pinned: 0,
          created_at: 1,
          updated_at: 1,
          tokens: 1,
        },
        body: '[]',
        words: {},
      },
    ]);
    const found = (await verify(place)).answer.findings;
    expect(found.map(({ kind, collection }) => `${collection}: ${kind}`).sort()).toEqual([
      'checkpoint_parts: orphan',
      'compactions: orphan',
      'events: broken-record',
      'facts: broken-record',
      'item_contents: orphan',
    ]);
    await expectRepaired(place, { quarantined: 2, removed: 3 });
    // The log keeps its numbers, and can be read on.
    expect((await records(place, 'events'))[0]?.columns['type']).toBe('quarantined');
    const shown = await runOn({ cwd: place.cwd }, 'show', 'one', '--store', place.url);
    expect(shown.exitCode).toBe(0);
  },
);

test('a missing event is told, and nothing is made up for it', async () => {
  const place = await filled('sqlite');
  const [, second] = await records(place, 'events');
  if (second === undefined) throw new Error('nothing was stored');
  await write(place, [{ type: 'delete', collection: 'events', key: second.key }]);
  const { exitCode, answer } = await verify(place, '--repair');
  expect([exitCode, answer.left, answer.findings.map(({ kind }) => kind)]).toEqual([1, 1, ['gap']]);
});

test('results that were deleted on purpose are no problem', async () => {
  const place = await filled('sqlite');
  const store = await openStore(await place.backend());
  await store.outputs.clear('one');
  await store.close();
  const { exitCode, answer } = await verify(place);
  expect([exitCode, answer.problems, answer.gone.results > 0]).toEqual([0, 0, true]);
});

test('a record file that cannot be read is found, kept and taken out', async () => {
  const place = await filled('fs');
  const root = join(place.cwd, 'store');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const item = files.find((name) => name.includes('items') && name.endsWith('.json'));
  if (item === undefined) throw new Error('there is no file of an item');
  writeFileSync(join(root, item), 'torn');
  const { exitCode, answer } = await verify(place);
  expect([exitCode, answer.findings]).toEqual([
    1,
    [expect.objectContaining({ kind: 'broken-record', collection: 'items' })],
  ]);
  // Now it is set aside, and in no list any more: it is found all the same.
  expect((await verify(place)).answer.findings).toHaveLength(1);
  await expectRepaired(place, { quarantined: 1 });
  const kept = readdirSync(`${root}.quarantine`, { recursive: true, encoding: 'utf8' });
  const texts = kept
    .filter((name) => !name.endsWith('set-aside'))
    .map((name) => readFileSync(join(`${root}.quarantine`, name), 'utf8'));
  expect(texts).toContain('torn');
});

test('a body that SQLite cannot give back is found, and the others are read', async () => {
  const place = await filled('sqlite');
  const database = new DatabaseSync(join(place.cwd, 'store'));
  database.exec(`UPDATE items SET _body = x'00ff00ff'`);
  database.close();
  const { exitCode, answer } = await verify(place);
  expect([exitCode, answer.findings]).toEqual([
    1,
    [expect.objectContaining({ kind: 'broken-record', collection: 'items' })],
  ]);
  await expectRepaired(place, { quarantined: 1 });
});

test('a file whose pages are damaged is not taken for a store', async () => {
  const place = await filled('sqlite');
  const path = join(place.cwd, 'store');
  const bytes = readFileSync(path);
  bytes.fill(0x5a, 8192, 8192 + 3 * 4096);
  writeFileSync(path, bytes);
  const { exitCode, answer } = await verify(place);
  expect(exitCode).toBe(1);
  expect(answer.findings[0]?.kind).toBe('damaged-file');
});

test('a file that is no database is not called a damaged store, and nothing in it is changed', async () => {
  const cwd = makeFolder();
  const path = join(cwd, 'hosts');
  writeFileSync(path, '127.0.0.1 localhost\n'.repeat(300));
  const before = readFileSync(path);
  const { exitCode, stderr } = await runOn({ cwd }, 'verify', '--store', `sqlite:${path}`);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('If it is no store of ctx, name the file of one.');
  expect(stderr).not.toContain('The file itself is damaged');
  expect(readFileSync(path)).toEqual(before);
});

test('the table names what is wrong and what --repair would do', async () => {
  const place = await filled('sqlite');
  const [item] = await records(place, 'items');
  if (item === undefined) throw new Error('nothing was stored');
  await write(place, [
    {
      type: 'put',
      collection: 'items',
      key: item.key,
      columns: item.columns,
      body: '{"content":"x"}',
      words: {},
    },
  ]);
  const { exitCode, stdout, stderr } = await runOn(
    { cwd: place.cwd },
    'verify',
    '--store',
    place.url,
  );
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /^wrong-checksum +items +ada \/ i +would be quarantined +its content is not/m,
  );
  expect(stdout).toMatch(/records of 1 tenant checked: 1 problem\.$/m);
  expect(stderr).toBe('ctx verify --repair puts right what can be.\n');
});

test.each(schemes)(
  'a record that a search does not find is named, and found again after --repair (%s)',
  async (scheme) => {
    const place = await filled(scheme);
    const [record] = await records(place, 'outputs');
    const { key, columns, body } = record ?? { key: [], columns: {}, body: '' };
    await write(place, [{ type: 'put', collection: 'outputs', key, columns, body, words: {} }]);
    const before = await runOn({ cwd: place.cwd }, 'verify', '--store', place.url, '--json');
    expect([before.exitCode, JSON.parse(before.stdout)]).toMatchObject([
      1,
      { findings: [{ kind: 'not-found-by-search', collection: 'outputs', key, repair: 'mended' }] },
    ]);
    const repaired = await runOn({ cwd: place.cwd }, 'verify', '--repair', '--store', place.url);
    expect(repaired.exitCode).toBe(0);
    const after = await runOn({ cwd: place.cwd }, 'verify', '--store', place.url);
    expect([after.exitCode, after.stdout]).toEqual([0, expect.stringContaining('all is well')]);
    expect((await records(place, 'outputs'))[0]).toMatchObject({ key, columns, body });
  },
);
