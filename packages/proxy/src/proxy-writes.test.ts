import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { expect, it } from 'vitest';
import { createProxy } from './proxy.ts';
import { send } from './test-support/anthropic-conversation.ts';
import { bodyOf, longWork, messagesAfter } from './test-support/scripted-agent.ts';

const steps = longWork(6);

it('what a request decides is one write of the log', async () => {
  const inner = memoryBackend();
  let writes = 0;
  const store = await openStore({
    ...inner,
    write: (operations, options) => {
      if (operations.some(({ collection }) => collection === 'events')) writes += 1;
      return inner.write(operations, options);
    },
  });
  const proxy = createProxy({ store });
  for (let done = 0; done <= steps.length; done += 1) {
    await send(proxy, bodyOf(messagesAfter(steps.slice(0, done))));
  }
  expect(writes).toBe(steps.length + 1);
});
