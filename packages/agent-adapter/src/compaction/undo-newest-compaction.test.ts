import { compactSession } from '@ctx/compactor';
import type { Message } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { openSessionWindow } from '@ctx/truncation';
import { expect, it } from 'vitest';
import { automaticCompaction } from './automatic-compaction.ts';
import { undoNewestCompaction } from './undo-newest-compaction.ts';

it('takes compactions back from the newest on, whether of the document or of the window', async () => {
  const store = await openStore(memoryBackend());
  const memory = store.sessions.memory('s');
  const said = Array.from(
    { length: 60 },
    (_, at) => `Said ${String(at)}. ${'So it is. '.repeat(300)}`,
  );
  await memory.append(said.map((content) => ({ role: 'user', content })));
  await compactSession(store, 's');
  const window = await openSessionWindow({ store, sessionId: 's', windowTokens: 64_000 });
  const messages = said.map(
    (text, at): Message => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: [{ type: 'text', text }],
    }),
  );
  await window.insert(messages);
  await automaticCompaction(window).compact();
  await window.close();
  expect(await undoNewestCompaction(store, 's')).toEqual({ sequence: 1 });
  expect(await store.compactions.get('s', 1)).toMatchObject({
    ...{ trigger: 'window-manual', state: 'undone' },
  });
  const again = await openSessionWindow({ store, sessionId: 's' });
  expect(again.view()).toEqual(messages);
  expect(await undoNewestCompaction(store, 's')).toEqual({ sequence: 0, restored: 30 });
  expect(await store.compactions.get('s', 0)).toMatchObject({ state: 'undone' });
  await expect(undoNewestCompaction(store, 's')).rejects.toMatchObject({ code: 'CTX_NOT_FOUND' });
});
