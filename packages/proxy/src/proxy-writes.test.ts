import { openStore } from '@ctx/store';
import { createMemoryPlace, memoryBackend } from '@ctx/store/backend';
import { expect, it } from 'vitest';
import { createProxy } from './proxy.ts';
import { send } from './test-support/anthropic-conversation.ts';
import { bodyOf, longWork, messagesAfter } from './test-support/scripted-agent.ts';

const steps = longWork(6);

/** A proxy of a process, and what it asked of the store: each call with its collections. */
async function startCounted(place = createMemoryPlace()) {
  const inner = memoryBackend({ place });
  const asked: string[] = [];
  const store = await openStore({
    ...inner,
    get: (collection, ...more) => {
      asked.push(`get ${collection}`);
      return inner.get(collection, ...more);
    },
    scan: (query) => {
      asked.push(`scan ${query.collection}`);
      return inner.scan(query);
    },
    write: (operations, options) => {
      const collections = new Set(operations.map(({ collection }) => collection));
      asked.push(`write ${[...collections].join(' ')}`);
      return inner.write(operations, options);
    },
  });
  const proxy = createProxy({ store });
  const ask = (done: number) => send(proxy, bodyOf(messagesAfter(steps.slice(0, done))));
  return { asked, ask };
}

it('what a request decides is one write of the log', async () => {
  const { asked, ask } = await startCounted();
  for (let done = 0; done <= steps.length; done += 1) await ask(done);
  expect(asked.filter((one) => one === 'write events')).toHaveLength(steps.length + 1);
});

it('a request that goes on asks the store for what is new, keeps its result and what it decided, and asks for nothing else', async () => {
  const { asked, ask } = await startCounted();
  for (const done of [0, 1]) await ask(done);
  asked.length = 0;
  await ask(2);
  expect(asked).toEqual(['get events', 'scan events', 'write outputs', 'write events']);
});

it('a request that goes on from what another process did reads that, once, and asks for nothing else', async () => {
  const place = createMemoryPlace();
  const [one, other] = [await startCounted(place), await startCounted(place)];
  for (const done of [0, 1]) await one.ask(done);
  await other.ask(2);
  one.asked.length = 0;
  await one.ask(3);
  expect(one.asked).toEqual([
    ...['get events', 'scan events', 'get outputs', 'write outputs', 'write events'],
  ]);
});

it('a request after a result that another process keeps as a preview is saved at the first try', async () => {
  const place = createMemoryPlace();
  const [one, other] = [await startCounted(place), await startCounted(place)];
  for (const done of [0, 1, 2, 3, 4]) await one.ask(done);
  const { body } = await other.ask(5);
  expect(body).not.toContain('ok 4.150 passed');
  one.asked.length = 0;
  await one.ask(6);
  expect(one.asked).toEqual([
    ...['get events', 'scan events', 'get outputs', 'write outputs', 'write events'],
  ]);
});

it('a conversation that another process began is opened with one read of its session and one of its log', async () => {
  const place = createMemoryPlace();
  const [one, other] = [await startCounted(place), await startCounted(place)];
  for (const done of [0, 1, 2, 3]) await one.ask(done);
  other.asked.length = 0;
  await other.ask(4);
  expect(other.asked.slice(0, 4)).toEqual([
    ...['get sessions', 'scan events', 'get events', 'get outputs'],
  ]);
  expect(other.asked.filter((asked) => asked === 'scan events')).toHaveLength(1);
});
