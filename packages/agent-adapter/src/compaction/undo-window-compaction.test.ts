import { type Message, sequenceIds } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { openSessionWindow } from '@ctx/truncation';
import { expect, it } from 'vitest';
import { automaticCompaction } from './automatic-compaction.ts';
import { undoWindowCompaction } from './undo-window-compaction.ts';

const message = (role: 'user' | 'assistant', text: string): Message => ({
  role,
  content: [{ type: 'text', text }],
});

async function compacted() {
  const store = await openStore(memoryBackend());
  const window = await openSessionWindow({ store, sessionId: 's', windowTokens: 64_000 });
  await window.insert(
    Array.from({ length: 80 }, (_, at) =>
      message(
        at % 2 === 0 ? 'user' : 'assistant',
        `Said ${String(at)}. ${'So it is. '.repeat(300)}`,
      ),
    ),
  );
  const before = window.view();
  const compaction = automaticCompaction(window, { ids: sequenceIds('mark') });
  const { window: outcome } = await compaction.compact();
  expect(outcome).toMatchObject({ compacted: true, why: 'manual', record: 0 });
  return { store, window, before };
}

it('brings back what was summed up, byte for byte, and says so in the record', async () => {
  const { store, window, before } = await compacted();
  await window.request(5);
  expect(await undoWindowCompaction(window)).toMatchObject({ sequence: 0 });
  expect(window.view()).toEqual(before);
  expect(await store.compactions.get('s', 0)).toMatchObject({ state: 'undone', summary: '' });
  await expect(undoWindowCompaction(window)).rejects.toMatchObject({ code: 'CTX_NOT_FOUND' });
});

it('is refused where something came in since, which would be lost', async () => {
  const { window } = await compacted();
  await window.insert(message('user', 'And now?'));
  const view = window.view();
  const undo = undoWindowCompaction(window);
  await expect(undo).rejects.toMatchObject({ code: 'CTX_STORE_CONFLICT' });
  await expect(undo).rejects.toThrow(/since \(window-received\).* rewinding to event \d+ /);
  expect(window.view()).toEqual(view);
});
