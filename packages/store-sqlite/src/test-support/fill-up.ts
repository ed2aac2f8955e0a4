import { CtxError, isCtxError } from '@ctx/core';
import { sqliteBackend } from '../sqlite-backend.ts';
import { papers, putPaper } from './records.ts';

/**
 * Writes 20 KB to one record until the disk is full and 20 times more, then reports as JSON: what was acknowledged last,
 * what is read back, the codes of the failures, and whether a delete works.
 */
const [path = ''] = process.argv.slice(2);
const backend = sqliteBackend({ path });
await backend.open([papers]);

const failures: string[] = [];
const bodies = new Map<string, string>();

async function write(id: string, number: number): Promise<void> {
  const body = JSON.stringify({ number, text: String(number % 10).repeat(20_000) });
  try {
    await backend.write([putPaper(id, { body })]);
    bodies.set(id, body);
  } catch (error) {
    failures.push(isCtxError(error) ? error.code : String(error));
    if (failures.length === 1 && error instanceof CtxError && String(error).includes('INSERT'))
      throw error;
  }
}

for (let number = 0; number < 40; number++) await write(`p${number}`, number);
for (let number = 40; number < 60; number++) await write('p0', number);
const keys = [...bodies.keys()].map((id) => ['t', 's', id]);
const records = await backend.get('papers', keys);
const isReadable = records.every((record, at) => record?.body === bodies.get(keys[at]?.[2] ?? ''));
let deleted = 'done';
try {
  await backend.write(keys.map((key) => ({ type: 'delete', collection: 'papers', key })));
} catch (error) {
  deleted = isCtxError(error) ? error.code : String(error);
}
const left = await backend.get('papers', keys);
await backend.close();
const counts = { acknowledged: bodies.size, left: left.filter((one) => one !== undefined).length };
process.stdout.write(JSON.stringify({ failures, isReadable, deleted, ...counts }));
