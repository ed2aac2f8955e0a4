import { isCtxError } from '@ctx/core';
import { sqliteBackend } from '../sqlite-backend.ts';
import { papers, putPaper } from './records.ts';

/** Writes so many papers one after the other, and says of each whether it was acknowledged, or the code of its refusal. */
const [path = '', count = '0'] = process.argv.slice(2);

async function outcomeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'acknowledged';
  } catch (error) {
    return isCtxError(error) ? error.code : String(error);
  }
}

const backend = sqliteBackend({ path, durability: 'power' });
const opened = await outcomeOf(() => backend.open([papers]));
process.stdout.write(`open ${opened}\n`);
for (let number = 0; opened === 'acknowledged' && number < Number(count); number++) {
  const put = putPaper(`p${number}`, { body: JSON.stringify('x'.repeat(20_000)) });
  process.stdout.write(`p${number} ${await outcomeOf(() => backend.write([put]))}\n`);
}
process.stdout.write(`close ${await outcomeOf(() => backend.close())}\n`);
