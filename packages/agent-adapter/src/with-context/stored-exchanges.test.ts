import { createRedactor } from '@ctx/redact';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { hiddenExchanges } from './hidden-exchanges.ts';
import { storedExchanges } from './stored-exchanges.ts';

const wire = {
  listKey: 'messages',
  keyOf: (said: readonly object[]) => JSON.stringify(said),
};
const visible = [{ role: 'assistant', content: 'found' }];
const asked = { role: 'user', content: 'look' };

describe('exchanges that the host does not see', () => {
  it('are put back by another process, where the history is the same', async () => {
    const store = await openStore(memoryBackend());
    const whole = [{ role: 'assistant', content: 'let me read' }, asked, ...visible];
    const first = await hiddenExchanges(wire, storedExchanges(store, 's'));
    await first.note(1, visible, whole);
    const second = await hiddenExchanges(wire, storedExchanges(store, 's'));
    expect(second.restore([asked, ...visible])).toEqual([asked, ...whole]);
    const other = [asked, { role: 'assistant', content: 'something else' }];
    expect(second.restore(other)).toEqual(other);
    const elsewhere = await hiddenExchanges(wire, storedExchanges(store, 'other'));
    expect(elsewhere.restore([asked, ...visible])).toEqual([asked, ...visible]);
  });

  it('are not kept if they hold a secret', async () => {
    const store = await openStore(memoryBackend(), { redactor: createRedactor() });
    const secret = { role: 'user', content: `token ghp_${'a1B2'.repeat(9)}` };
    const first = await hiddenExchanges(wire, storedExchanges(store, 's'));
    await first.note(1, visible, [secret, ...visible]);
    expect(first.restore([asked, ...visible])).toContainEqual(secret);
    expect(await storedExchanges(store, 's').read('messages')).toEqual([]);
  });

  it('stay known to this process if the store fails', async () => {
    const store = await openStore(memoryBackend());
    const kept = storedExchanges(store, 's');
    await store.close();
    const exchanges = await hiddenExchanges(wire, kept);
    await exchanges.note(1, visible, [asked, ...visible]);
    expect(exchanges.restore([asked, ...visible])).toEqual([asked, asked, ...visible]);
  });
});
