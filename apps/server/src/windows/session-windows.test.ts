import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { expect, it } from 'vitest';
import { createSessionWindows, type OpenWindow } from './session-windows.ts';

async function setUp(maxIdleMessages: number) {
  const store = await openStore(memoryBackend());
  const windows = createSessionWindows({ maxIdleMessages });
  const add = (sessionId: string, count: number): Promise<OpenWindow> =>
    windows.use({ store, sessionId }, (open) => {
      for (let index = 0; index < count; index += 1) open.known.push({ key: String(index) });
      return Promise.resolve(open);
    });
  return { add, windows };
}

it('windows that wait hold so many messages together: those used longest ago are closed', async () => {
  const { add, windows } = await setUp(100);
  const first = await add('a', 40);
  const second = await add('b', 40);
  expect(await add('a', 0)).toBe(first);
  await add('c', 40);
  expect(await add('a', 0)).toBe(first);
  expect(await add('b', 0)).not.toBe(second);
  await windows.close();
});

it('a window that is too large alone is closed', async () => {
  const { add, windows } = await setUp(10);
  const large = await add('large', 50);
  await add('small', 1);
  expect(await add('large', 0)).not.toBe(large);
  await windows.close();
});
