import { expect, test } from 'vitest';
import { memoryBackend } from '../backend/memory/memory-backend.ts';
import { openStore } from '../open-store.ts';

test('takes ten thousand large results in one go without comparing each with each', async () => {
  const store = await openStore(memoryBackend(), { outputs: { searchedCharacters: 0 } });
  const inputs = Array.from({ length: 10_000 }, (_, index) => ({
    sessionId: 's',
    toolName: 't',
    args: {},
    result: `${String(index)} ${'x'.repeat(1100)}`,
  }));
  expect(await store.outputs.saveAll(inputs)).toHaveLength(10_000);
});
