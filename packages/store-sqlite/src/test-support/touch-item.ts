import { openSqliteStore } from '../open-sqlite-store.ts';

/** Touches one item so many times as asked. */
const [path = '', times = '0'] = process.argv.slice(2);
const store = await openSqliteStore({ path });
for (let left = Number(times); left > 0; left--) await store.items.touch('a', 'x');
await store.close();
