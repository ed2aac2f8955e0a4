import { appendFileSync, statfsSync } from 'node:fs';
import { isCtxError } from '@ctx/core';
import { childBackend } from './child-backend.ts';
import { papers, putPaper } from './records.ts';

/**
 * Stores 20 KB, fills the disk but for 36 KB, replaces the 20 KB twenty times, then deletes them. Reports as JSON the codes
 * of the failures, whether the last acknowledged body is read back, and what became of the delete.
 */
const [folder = ''] = process.argv.slice(2);
const backend = childBackend(`${folder}/ctx.db`);
await backend.open([papers]);
const key = ['t', 's', 'p'];
const failures: string[] = [];
let acknowledged = '';

async function write(number: number): Promise<void> {
  const body = JSON.stringify({ number, text: String(number % 10).repeat(20_000) });
  try {
    await backend.write([putPaper('p', { body })]);
    acknowledged = body;
  } catch (error) {
    failures.push(isCtxError(error) ? error.code : String(error));
  }
}

await write(0);
for (;;) {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize <= 36_864) break;
  appendFileSync(`${folder}/ballast`, Buffer.alloc(4096));
}
for (let number = 1; number <= 20; number++) await write(number);
const [record] = await backend.get('papers', [key]);
let deleted = 'done';
try {
  await backend.write([{ type: 'delete', collection: 'papers', key }]);
} catch (error) {
  deleted = isCtxError(error) ? error.code : String(error);
}
const [left] = await backend.get('papers', [key]);
await backend.close();
const report = {
  failures,
  isReadable: record?.body === acknowledged,
  deleted,
  left: left?.version ?? 0,
};
process.stdout.write(JSON.stringify(report));
