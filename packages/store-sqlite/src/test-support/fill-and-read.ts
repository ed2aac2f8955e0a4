import { appendFileSync, statfsSync, writeFileSync } from 'node:fs';
import { isCtxError } from '@ctx/core';
import type { StoreBackend } from '@ctx/store/backend';
import { childBackend } from './child-backend.ts';
import { papers, putPaper } from './records.ts';

/**
 * Stores papers until the disk is full, leaves the log as it is, and opens the store again. Reports as JSON what
 * became of a read, of a search, of a write and of a delete there.
 */
const [folder = ''] = process.argv.slice(2);
const key = (id: string): string[] => ['t', 's', id];

async function open(): Promise<StoreBackend> {
  const backend = childBackend(`${folder}/ctx.db`);
  await backend.open([papers]);
  return backend;
}

async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error: unknown) => (isCtxError(error) ? error.code : String(error)));
}

function put(backend: StoreBackend, id: string): Promise<void> {
  const body = JSON.stringify(`word${id} ${id.repeat(30_000)}`);
  return backend.write([putPaper(id, { body, words: { text: `word${id}` } })]);
}

function fillUp(): void {
  writeFileSync(`${folder}/ballast`, '');
  for (const size of [4096, 1]) {
    try {
      for (;;) appendFileSync(`${folder}/ballast`, Buffer.alloc(size));
    } catch {
      // Full.
    }
  }
}

const first = await open();
for (const id of ['1', '2', '3']) await put(first, id);
fillUp();
await first.close();
const backend = await open();
const { bavail } = statfsSync(folder);
const read = await backend.get('papers', [key('3')]);
const query = { collection: 'papers', equal: ['t'], words: ['word3'], limit: 9 };
const hits = (): Promise<unknown> =>
  outcomeOf(backend.search(query).then((found) => found.map((hit) => hit.key[2])));
const report = {
  room: bavail,
  read: read[0]?.body.length,
  hits: [await hits(), await hits()],
  written: await outcomeOf(put(backend, '4')),
};
await backend.close();
process.stdout.write(JSON.stringify(report));
