/**
 * Begins the purge of a session and works on it, for tests that end it in the middle. Arguments: the store's URL, the schema, the
 * session. Says `begun`, then a line after each of its batches.
 */
import { randomIds } from '@ctx/core';
import { openStore, purges } from '@ctx/store';
import { backendAt } from './backend-at.ts';

const [url = '', schema = '', session = ''] = process.argv.slice(2);
const backend = backendAt(url, schema);
const store = await openStore(backend);
const place = { backend, tenant: store.tenant, clock: store.clock, worker: randomIds()() };
const id = await purges.begin({ ...place, ids: randomIds() }, { sessions: [session] });
console.log('begun');
const onBatch = ({ batches }: { readonly batches: number }): void => {
  console.log(`batch ${String(batches)}`);
};
while ((await purges.work(place, id, { onBatch })).state !== 'ended') {
  await new Promise((resolve) => setTimeout(resolve, 20));
}
await store.close();
