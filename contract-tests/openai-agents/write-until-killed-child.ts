import { createSession } from '@ctx/agent-adapter/openai-agents';
import { durableKinds, openDurableStore } from '../open-durable-store.ts';

/** Appends pairs of items in transactions, compacts now and then, and says what was acknowledged, until it is killed. */
const [kindName, folder = '', from = '0'] = process.argv.slice(2);
const kind = durableKinds.find((each) => each === kindName) ?? 'fs';
const store = await openDurableStore(kind, folder);
const session = createSession<object>({ store, sessionId: 's' });

const say = (text: string): object => ({ type: 'message', role: 'user', content: text });

for (let number = Number(from); ; number += 1) {
  const items = [say(`${String(number)} a`), say(`${String(number)} b`)];
  await session.applyHistoryTransaction({
    operationId: String(number),
    transaction: { type: 'append_items', items },
  });
  console.log(number);
  if (number % 5 !== 4) continue;
  // Everything so far gives way to one item that says how far it goes, and a pair.
  await session.getItems();
  await session.replaceHistoryWithCompaction([say(`to ${String(number - 1)}`), ...items]);
  console.log(`compacted ${String(number)}`);
}
