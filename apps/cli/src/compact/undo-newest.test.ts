import { automaticCompaction } from '@ctx/agent-adapter';
import { compactSession } from '@ctx/compactor';
import type { Message } from '@ctx/core';
import { openStore, sessionMemory } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { openSessionWindow } from '@ctx/truncation';
import { expect, it } from 'vitest';
import { undoNewest } from './undo-newest.ts';

it('takes compactions back from the newest on, whether of the document or of the window', async () => {
  const store = await openStore(memoryBackend());
  const memory = sessionMemory(store, 's');
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
  expect(await undoNewest(store, 's')).toMatchObject({
    compaction: { sequence: 1, trigger: 'window-manual', state: 'undone' },
  });
  const again = await openSessionWindow({ store, sessionId: 's' });
  expect(again.view()).toEqual(messages);
  expect(await undoNewest(store, 's')).toMatchObject({
    ...{ entries: 30, compaction: { sequence: 0, state: 'undone' } },
  });
  await expect(undoNewest(store, 's')).rejects.toMatchObject({ code: 'CTX_NOT_FOUND' });
});
