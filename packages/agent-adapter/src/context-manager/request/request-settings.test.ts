import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { expect, test } from 'vitest';
import { prepareParams } from '../../anthropic/prepare-params.ts';
import { createContextManager } from '../create-context-manager.ts';

const text = 'a line of what was said and done in this turn\n'.repeat(40);
const said = Array.from({ length: 400 }, (_, turn) => ({
  role: turn % 2 === 0 ? 'user' : 'assistant',
  content: `${String(turn)} ${text}`,
}));
const messages = [...said, { role: 'user', content: 'go on' }];

/** The size of the request that goes out, as a provider would count it, about. */
async function sizeOf(
  model: Parameters<typeof createContextManager>[0]['model'],
  maxTokens: number,
) {
  const store = await openStore(memoryBackend());
  const chosen = model === undefined ? {} : { model };
  const manager = createContextManager({ store, sessionId: 's', compaction: false, ...chosen });
  const params = { model: 'claude-sonnet-4-5', max_tokens: maxTokens, messages };
  const { params: sent, receipt } = await prepareParams(manager, params);
  return { tokens: store.countTokens(JSON.stringify(sent.messages)), receipt };
}

test('the window that the user set holds for a request that names another model', async () => {
  const own = { name: 'm', windowTokens: 32_000, price: 'anthropic-5m' };
  const { tokens, receipt } = await sizeOf(own, 4000);
  expect(receipt.windowTokens).toBe(32_000);
  expect(tokens).toBeLessThan(32_000);
});

test('a name alone gives way to the name in the request', async () => {
  expect((await sizeOf('gpt-4o', 4000)).receipt.windowTokens).toBe(200_000);
  expect((await sizeOf(undefined, 4000)).receipt.windowTokens).toBe(200_000);
});

test('a request leaves the room that its answer may have', async () => {
  const own = { name: 'm', windowTokens: 100_000, price: 'anthropic-5m' };
  const long = await sizeOf(own, 40_000);
  const short = await sizeOf(own, 1000);
  expect(long.receipt.tokens).toBeLessThanOrEqual(60_000);
  expect(short.receipt.tokens).toBeGreaterThan(long.receipt.tokens);
  expect(short.receipt.tokens).toBeLessThanOrEqual(92_000);
});
