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

it('counts what was written to the cache for an hour at its price, and keeps it in the log', async () => {
  const store = await testStore();
  const proxy = createProxy({ store });
  const usage = {
    ...{ input_tokens: 1000, cache_read_input_tokens: 10_000, output_tokens: 0 },
    cache_creation_input_tokens: 6000,
  };
  const split = { ephemeral_5m_input_tokens: 2000, ephemeral_1h_input_tokens: 4000 };
  const answers = [
    {
      contentType: 'application/json',
      text: JSON.stringify({ usage: { ...usage, cache_creation: split } }),
    },
    {
      contentType: 'text/event-stream',
      text: `data: ${JSON.stringify({ message: { usage: { ...usage, cache_creation: split } } })}\n\ndata: ${JSON.stringify({ usage })}\n\n`,
    },
    { contentType: 'application/json', text: JSON.stringify({ usage }) },
  ];
  const dollars: number[] = [];
  for (const [index, { contentType, text }] of answers.entries()) {
    const { exchange } = await send(proxy, bodyOf(messagesAfter(longWork(index))));
    const before = proxy.totals().dollars;
    const reader = exchange.answer(contentType);
    reader.write(Buffer.from(text));
    await reader.end();
    dollars.push(((proxy.totals().dollars - before) / 3) * 1e6);
  }
  const rest = 1000 + 10_000 * 0.1;
  const told = rest + 2000 * 1.25 + 4000 * 2;
  expect(dollars[0]).toBeCloseTo(told, 6);
  expect(dollars[1]).toBeCloseTo(told, 6);
  expect(dollars[2]).toBeCloseTo(rest + 6000 * 1.25, 6);
  const { timeline } = await sessionLog(store, proxy.sessions()[0] ?? '').sent();
  const reported = { inputTokens: 17_000, cachedTokens: 10_000 };
  const hour = { reported: { ...reported, hourTokens: 4000 } };
  expect(timeline).toMatchObject([hour, hour, { reported }]);
  expect(timeline[2]?.reported).not.toHaveProperty('hourTokens');
  await proxy.close();
});
