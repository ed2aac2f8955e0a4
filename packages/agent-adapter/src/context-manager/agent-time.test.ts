import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { expect, test } from 'vitest';
import { createContextManager } from './create-context-manager.ts';

const minute = 60_000;

test('items age by the turns of their agent, and rest with it', async () => {
  const time = { now: Date.UTC(2026, 0, 5, 9) };
  const store = await openStore(memoryBackend(), { clock: () => time.now });
  const manager = createContextManager({
    store,
    sessionId: 's',
    agentId: 'a',
    model: 'claude-sonnet',
  });
  await manager.items.save({ kind: 'TASK', content: 'Port the parser' });
  const history = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'go on' }] }];
  const tiers = async () => (await manager.items.stats()).tiers.map(({ items }) => items);
  for (let turn = 0; turn < 80; turn += 1) {
    time.now += 5 * minute;
    await manager.prepare(history);
  }
  expect(await tiers()).toEqual([0, 1, 0]);
  time.now += 63 * 60 * minute;
  await manager.prepare(history);
  expect(await tiers()).toEqual([0, 1, 0]);
  await manager.end();
});
