import { sessionLog } from '@ctx/truncation';
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

it('keeps in the log which model a request was for, and what the provider reported of it, also if that tells nothing of a cache or of the answer', async () => {
  const store = await testStore();
  const proxy = createProxy({ store });
  const usages = [
    { input_tokens: 1000, output_tokens: 10 },
    { input_tokens: 200, cache_read_input_tokens: 900, output_tokens: 20 },
    { input_tokens: 300, cache_read_input_tokens: 1000 },
  ];
  for (const [index, usage] of usages.entries()) {
    const { exchange } = await send(proxy, bodyOf(messagesAfter(longWork(index))));
    const reader = exchange.answer('application/json');
    reader.write(Buffer.from(JSON.stringify({ usage })));
    await reader.end();
  }
  const { timeline } = await sessionLog(store, proxy.sessions()[0] ?? '').sent();
  const model = 'claude-sonnet-4-5';
  expect(timeline).toMatchObject([
    { model, reported: { inputTokens: 1000 }, outputTokens: 10 },
    { model, reported: { inputTokens: 1100, cachedTokens: 900 }, outputTokens: 20 },
    { model, reported: { inputTokens: 1300, cachedTokens: 1000 } },
  ]);
  expect(timeline[0]?.reported).not.toHaveProperty('cachedTokens');
  expect(timeline[2]).not.toHaveProperty('outputTokens');
  await proxy.close();
});
