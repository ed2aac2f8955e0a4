import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { expect, it, vi } from 'vitest';
import { createContextManager } from '../create-context-manager.ts';

it('contexts that are damaged or missing are left out with a warning, and the good ones are loaded', async () => {
  const backend = memoryBackend();
  const store = await openStore(backend, { outputs: { cacheTotalBytes: 0 } });
  const manager = createContextManager({
    store,
    sessionId: 's',
    model: 'claude-sonnet-4-5',
  });
  const good = await manager.saveContext('Bash', {}, 'good');
  const damaged = await manager.saveContext('Bash', {}, 'damaged');
  const [record] = await backend.get('outputs', [['default', 's', damaged]]);
  const { key = [], columns = {} } = record ?? {};
  await backend.write([{ type: 'put', collection: 'outputs', key, columns, body: '{"torn' }]);
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const found = await manager.loadContexts([good, damaged, 'missing']);
  expect(found.map(({ result }) => result)).toEqual(['good']);
  expect(warn.mock.calls.map(([warning]) => String(warning))).toEqual([
    expect.stringContaining(damaged),
    expect.stringContaining('missing: no such output is stored'),
  ]);
  warn.mockRestore();
  await store.close();
});
