import { childBackend } from './child-backend.ts';
import { papers, putPaper } from './records.ts';

/** Writes a paper and ends without closing the store. */
const [path = ''] = process.argv.slice(2);
const backend = childBackend(path);
await backend.open([papers]);
await backend.write([putPaper('left')]);
