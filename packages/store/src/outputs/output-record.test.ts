import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryBackend } from '../backend/memory/memory-backend.ts';
import { openStore } from '../open-store.ts';

test('gives with the receipt the pointer that reading gives', async () => {
  const store = await openStore(memoryBackend(), { outputs: { cacheTotalBytes: 0 } });
  const args = fc.oneof(
    fc.anything({ withDate: true, withMap: true, withSet: true, withBigInt: true }),
    fc.record({ path: fc.string({ unit: 'binary', maxLength: 900 }), limit: fc.double() }),
    fc.constantFrom('\ud800', { $ctx: 'date', value: null }, { '\0': -0 }),
  );
  await fc.assert(
    fc.asyncProperty(args, fc.string(), async (value, result) => {
      const input = { sessionId: 's', toolName: 'Bash', args: value, result };
      const { pointer } = await store.outputs.save(input);
      expect(pointer).toStrictEqual(await store.outputs.pointer(pointer));
    }),
  );
  await store.close();
});
