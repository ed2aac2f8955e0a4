import { openMemory } from '@ctx/agent-adapter/anthropic';
import { durableKinds, openDurableStore } from '../open-durable-store.ts';

/** Inserts lines into a file, all at once, as another process would. */
const [kindName, folder = '', name = '', count = '5'] = process.argv.slice(2);
const kind = durableKinds.find((each) => each === kindName) ?? 'fs';
const store = await openDurableStore(kind, folder);
const { handlers } = openMemory(store);
const path = '/memories/log.md';
console.log('ready');
await Promise.all(
  Array.from({ length: Number(count) }, (_, index) =>
    handlers.insert({ path, insert_line: 0, insert_text: `${name} ${String(index)}` }),
  ),
);
await store.close();
console.log('done');
