import {
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { storeCollections, wordsOfRecord } from '@ctx/store';
import { expect, test } from 'vitest';
import { loadDriver } from './driver/driver.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import { checkSqliteFile } from './repair/check-file.ts';
import { repairSqliteFile } from './repair/repair-file.ts';
import { temporaryFolder } from './test-support/places.ts';

/** `npm test` damages some of the pages that the campaigns damage. */
const isCampaign = process.env['CTX_TEST_CAMPAIGN'] === '1';

const outputs = 120;
const result = (at: number): string =>
  `line of output ${String(at)}, word${String(at)}\n`.repeat(100);

/** A store with outputs, events and sessions, closed. */
async function filled(): Promise<string> {
  const path = join(temporaryFolder(), 'ctx.db');
  const store = await openSqliteStore({ path });
  const call = { sessionId: 's', toolName: 'Bash', args: {} };
  const all = Array.from({ length: outputs }, (_, at) => ({
    ...call,
    id: `o${String(at)}`,
    result: result(at),
  }));
  for (const one of all) await store.outputs.save(one);
  for (let at = 0; at < 50; at += 1) {
    await store.events.append('s', [{ type: 'e', payload: { at, text: 'event '.repeat(60) } }]);
  }
  await store.close();
  return path;
}

const repair = (path: string) =>
  repairSqliteFile({ path, collections: storeCollections, wordsOf: wordsOfRecord, now: 0 });

/** Reads every output: right, missing or refused. */
async function readAll(path: string): Promise<{ right: number; missing: number }> {
  const store = await openSqliteStore({ path });
  let [right, missing] = [0, 0];
  const { entries } = await store.outputs.pointers({ sessionId: 's', limit: 1000 });
  for (const { id } of entries) {
    const output = await store.outputs.load({ id });
    if (output === undefined) missing += 1;
    else {
      const [, at = ''] = /output (\d+)/.exec(String(output.result)) ?? [];
      expect(output.result).toBe(result(Number(at)));
      right += 1;
    }
  }
  await store.close();
  return { right, missing: missing + outputs - entries.length };
}

test('a whole file is left as it is', async () => {
  const path = await filled();
  const before = readFileSync(path);
  expect(await checkSqliteFile(path)).toEqual({ damage: [], records: [], unsealed: 0 });
  expect(await repair(path)).toMatchObject({ how: 'none' });
  expect(readFileSync(path).equals(before)).toBe(true);
});

test.each([0.95, 0.7, 0.4])(
  'a file cut to %s of its length gives back what is left of it',
  async (share) => {
    const path = await filled();
    const size = statSync(path).size;
    truncateSync(path, Math.floor(size * share));
    const receipt = await repair(path);
    expect(receipt).toMatchObject({
      how: 'recovered',
      missingBytes: size - Math.floor(size * share),
    });
    const [came] = receipt.collections.filter(({ name }) => name === 'outputs');
    const { right, missing } = await readAll(path);
    expect(right).toBe(came?.recovered);
    // Outputs fill the middle of the file.
    if (share > 0.5) expect(right / outputs).toBeGreaterThan(share - 0.25);
    if ((came?.lost ?? 0) > 0) expect(came?.lost).toBeLessThanOrEqual(missing);
    expect((await checkSqliteFile(path)).damage).toEqual([]);
    expect(statSync(receipt.kept ?? '').size).toBe(Math.floor(size * share));
  },
);

test('a page that leads to others, and the first page, are no loss of what they lead to', async () => {
  const whole = await filled();
  const pages = Math.floor(statSync(whole).size / 4096);
  for (let page = 0; page < pages; page += isCampaign ? 7 : 105) {
    const path = join(temporaryFolder(), 'ctx.db');
    copyFileSync(whole, path);
    const bytes = readFileSync(path);
    bytes.fill(0x5a, page * 4096, (page + 1) * 4096);
    writeFileSync(path, bytes);
    const receipt = await repair(path);
    expect(receipt.how).not.toBe('none');
    const { missing } = await readAll(path);
    // A page of rows holds a few of them, or a part of one.
    expect(missing).toBeLessThanOrEqual(4);
    expect((await checkSqliteFile(path)).damage).toEqual([]);
  }
}, 120_000);

test('a damaged index is rebuilt in place, and no record is lost', async () => {
  const whole = readFileSync(await filled());
  let mended = 0;
  for (let page = 1; page * 4096 < whole.length; page += isCampaign ? 1 : 3) {
    // A leaf of an index, or of the full text, which is a table without indexes of its own.
    if (whole[page * 4096] !== 10) continue;
    const path = join(temporaryFolder(), 'ctx.db');
    const bytes = Buffer.from(whole);
    const last = page * 4096 + 4095;
    bytes[last] = (bytes[last] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    if ((await checkSqliteFile(path)).damage.length === 0) continue;
    const { how } = await repair(path);
    if (how === 'mended') mended += 1;
    expect(await readAll(path)).toEqual({ right: outputs, missing: 0 });
  }
  expect(mended).toBeGreaterThan(isCampaign ? 5 : 1);
}, 60_000);

test('a damaged key does not go into the indexes, which know the true one: its record is named as lost', async () => {
  const path = await filled();
  const bytes = readFileSync(path);
  const isRowPage = (at: number): boolean => bytes[Math.floor(at / 4096) * 4096] === 13;
  let at = bytes.indexOf('defaultsBash_');
  while (at >= 0 && !isRowPage(at)) at = bytes.indexOf('defaultsBash_', at + 1);
  expect(at).toBeGreaterThan(0);
  bytes[at + 2] = (bytes[at + 2] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  const { how, collections } = await repair(path);
  expect(how).toBe('recovered');
  const found = collections.find(({ name }) => name === 'outputs');
  expect(found).toMatchObject({ recovered: outputs - 1, lost: 1 });
  expect(found?.lostKeys).toEqual([['default', 's', expect.stringMatching(/^Bash_/)]]);
  expect(await readAll(path)).toEqual({ right: outputs - 1, missing: 1 });
});

test('wrong kept counts are found and counted again', async () => {
  const path = await filled();
  const database = (await loadDriver())(path);
  const tally = database
    .prepare(`SELECT name FROM sqlite_schema WHERE name LIKE '%$tally' AND tbl_name LIKE 'items%'`)
    .get();
  database.exec(`UPDATE "${String(tally?.['name'])}" SET "$count" = "$count" + 1`);
  database.close();
  const store = await openSqliteStore({ path });
  await store.items.save({ agentId: 'a', kind: 'note', content: 'c' });
  await store.close();
  const again = (await loadDriver())(path);
  again.exec(`UPDATE "${String(tally?.['name'])}" SET "$count" = "$count" + 1`);
  again.close();
  expect((await checkSqliteFile(path)).damage).toEqual(['the kept counts of items are wrong']);
  expect(await repair(path)).toMatchObject({ how: 'mended' });
  expect((await checkSqliteFile(path)).damage).toEqual([]);
});

test('what came back is found by search', async () => {
  const path = await filled();
  truncateSync(path, Math.floor(statSync(path).size * 0.8));
  await repair(path);
  const store = await openSqliteStore({ path });
  for (const { id } of (await store.outputs.pointers({ sessionId: 's', limit: 5 })).entries) {
    const output = await store.outputs.load({ id });
    const [, at = ''] = /output (\d+)/.exec(String(output?.result)) ?? [];
    const hits = (await store.outputs.search({ text: `word${at}`, limit: 5 })).hits;
    expect(hits.map((hit) => hit.pointer.id)).toContain(id);
  }
  await store.close();
});

test('a store that another has open is not repaired where what the file says of itself is damaged', async () => {
  const path = await filled();
  const whole = readFileSync(path);
  const pages = Array.from({ length: whole.length / 4096 - 1 }, (_, at) => at + 1);
  const saying = pages.filter((page) => {
    const text = whole.toString('latin1', page * 4096, (page + 1) * 4096);
    return text.includes('CREATE INDEX') || text.includes('CREATE TABLE');
  });
  expect(saying.length).toBeGreaterThan(2);
  for (const page of isCampaign ? saying : saying.slice(0, 3)) {
    writeFileSync(path, whole);
    const store = await openSqliteStore({ path });
    const bytes = readFileSync(path);
    bytes.fill(0x5a, page * 4096, (page + 1) * 4096);
    writeFileSync(path, bytes);
    await expect(repair(path)).rejects.toMatchObject({ code: 'CTX_STORE_BUSY' });
    await store.close().catch(() => undefined);
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
  }
}, 60_000);

test('a store that another has open is not repaired', async () => {
  const path = await filled();
  const bytes = readFileSync(path);
  const store = await openSqliteStore({ path });
  bytes.fill(0x5a, 20 * 4096, 21 * 4096);
  writeFileSync(path, bytes);
  await expect(repair(path)).rejects.toMatchObject({ code: 'CTX_STORE_BUSY' });
  await store.close().catch(() => undefined);
});

test('what only the log holds comes back, too', async () => {
  const path = await filled();
  const store = await openSqliteStore({ path });
  const call = { sessionId: 's', toolName: 'Bash', args: {}, result: 'only in the log' };
  const { pointer } = await store.outputs.save(call);
  const copy = join(temporaryFolder(), 'ctx.db');
  for (const end of ['', '-wal']) copyFileSync(path + end, copy + end);
  await store.close();
  truncateSync(copy, Math.floor(statSync(copy).size * 0.9));
  expect((await repair(copy)).how).toBe('recovered');
  const again = await openSqliteStore({ path: copy });
  expect(await again.outputs.load({ id: pointer.id })).toMatchObject({ result: 'only in the log' });
  await again.close();
});

const foreign = {
  'a text': 'root:x:0:0:root:/root:/bin/bash\n'.repeat(200),
  'a text that begins as a database does': `SQLite format 3\0${'text '.repeat(4000)}`,
};

test.each(Object.entries(foreign))(
  'a file that is %s is refused as it is, and no copy of it is left',
  async (_, text) => {
    const path = join(temporaryFolder(), 'ctx.db');
    writeFileSync(path, text);
    await expect(repair(path)).rejects.toMatchObject({ code: 'CTX_STORE_CORRUPT' });
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(readdirSync(dirname(path))).toEqual(['ctx.db']);
  },
);

test('a damaged database of another program is refused as it is, and no copy of it is left', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const database = (await loadDriver())(path);
  database.exec('CREATE TABLE places (id INTEGER PRIMARY KEY, url TEXT)');
  const insert = database.prepare('INSERT INTO places (url) VALUES (?)');
  for (let at = 0; at < 200; at += 1) insert.run(`https://example.com/${'long '.repeat(40)}`);
  database.close();
  const bytes = readFileSync(path);
  bytes.fill(0x5a, 4096, 2 * 4096);
  writeFileSync(path, bytes);
  await expect(repair(path)).rejects.toMatchObject({ code: 'CTX_STORE_CORRUPT' });
  expect(readFileSync(path).equals(bytes)).toBe(true);
  expect(readdirSync(dirname(path))).toEqual(['ctx.db']);
});
