import { openSqliteStore } from '../open-sqlite-store.ts';

const [path = '', amount = '0', label = ''] = process.argv.slice(2);
const store = await openSqliteStore({ path });
for (let at = 0; at < Number(amount); at++) {
  const input = { sessionId: 'shared', toolName: 't', args: { label, at }, result: [label, at] };
  await store.outputs.save(input);
}
await store.close();
