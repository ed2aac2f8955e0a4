import { isCtxError } from '@ctx/core';
import { childBackend } from './child-backend.ts';
import { paperIds, papers, putPaper } from './records.ts';

/** Stores papers until one is refused. Reports as JSON how many were taken, how many are read back, and the code of the refusal. */
const [path = ''] = process.argv.slice(2);
const backend = childBackend(path);
await backend.open([papers]);
let written = 0;
let code: string | undefined;
while (code === undefined && written < 500) {
  const body = JSON.stringify(String(written).padEnd(20_000, 'x'));
  try {
    await backend.write([putPaper(`p${String(written).padStart(4, '0')}`, { body })]);
    written += 1;
  } catch (error) {
    code = isCtxError(error) ? error.code : String(error);
  }
}
const read = (await paperIds(backend)).length;
await backend.close().catch(() => undefined);
process.stdout.write(JSON.stringify({ code, written, read }));
