import { expect, it } from 'vitest';
import { createProxy } from '../proxy.ts';
import { send, testStore } from '../test-support/anthropic-conversation.ts';
import { bodyOf, longWork, messagesAfter } from '../test-support/scripted-agent.ts';

it('learns from an answer before it decides the next request, whose client does not wait for that', async () => {
  const proxy = createProxy({ store: await testStore() });
  const steps = longWork(3);
  for (const [index, request] of [steps.slice(0, 2), steps].entries()) {
    const { exchange } = await send(proxy, bodyOf(messagesAfter(request)));
    expect(proxy.totals().inputTokens).toBe(index * 1000);
    const reader = exchange.answer('application/json');
    reader.write(Buffer.from('{"usage":{"input_tokens":1000,"output_tokens":10}}'));
    void reader.end();
    expect(proxy.totals().inputTokens).toBe(index * 1000);
  }
  await proxy.close();
  expect(proxy.totals().inputTokens).toBe(2000);
});
