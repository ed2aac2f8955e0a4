import { isCtxError } from '@ctx/core';
import { childBackend } from './child-backend.ts';
import { papers, putPaper } from './records.ts';

/** Adds one to the number in a record, so many times as asked, each time from the version that it has read. */
const [path = '', times = '0'] = process.argv.slice(2);
const backend = childBackend(path);
await backend.open([papers]);

async function addOne(): Promise<boolean> {
  const [record] = await backend.get('papers', [['t', 's', 'counter']]);
  const body = JSON.stringify(Number(record?.body ?? 0) + 1);
  try {
    await backend.write([putPaper('counter', { body, expectVersion: record?.version ?? 0 })]);
    return true;
  } catch (error) {
    if (isCtxError(error, 'CTX_STORE_CONFLICT')) return false;
    throw error;
  }
}

for (let left = Number(times); left > 0; ) if (await addOne()) left--;
await backend.close();
