import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { openSessionWindow } from '@ctx/truncation';
import { expect, it } from 'vitest';
import { createKeptAnalyses } from '../analysis/kept-analyses.ts';
import { readCost } from '../analysis/read-costs.ts';
import { createImportedWindows } from './imported-windows.ts';
import { requestsIn } from './request-moment.ts';

it('a log is folded once for its timeline and its cost, also for those who ask at once, and again when it went on', async () => {
  const store = await openStore(memoryBackend());
  const window = await openSessionWindow({ store, sessionId: 's', windowTokens: 16_000 });
  const text = 'look at the rows of the file';
  await window.insert({ role: 'user', content: [{ type: 'text', text }] });
  await window.request(0);
  let whole = 0;
  // Whether a log was imported, its first event tells; what was sent, and the last view, the whole log.
  const read: typeof store.events.read = (session, range = {}) => {
    if (range.limit === undefined) whole += 1;
    return store.events.read(session, range);
  };
  const counted = { ...store, events: { ...store.events, read } };
  const imported = createImportedWindows();
  const asked = { session: 's', mode: 'default' } as const;
  const sent = await Promise.all([1, 2, 3].map(() => imported.sent(counted, 's')));
  expect(whole).toBe(1);
  expect(sent.map(({ timeline }) => timeline.length)).toEqual([1, 1, 1]);
  expect((await requestsIn(imported, counted, asked)).all).toEqual(sent[0]?.timeline);
  expect(whole).toBe(1);

  await window.request(1_000);
  await window.close();
  const again = await imported.sent(counted, 's');
  expect(again.timeline).toHaveLength(2);
  expect(again.carried.map(({ requests }) => requests)).toEqual([2]);
  expect(whole).toBe(2);

  const context = { imported, analyses: createKeptAnalyses() };
  const cost = await readCost(context, counted, asked);
  expect(cost.carriedTokens).toBe(again.carried[0]?.tokens);
  // The places of the requests, the last view, its blocks, and twice where its tokens go: no other fold of what was sent.
  expect(whole).toBe(2 + 5);
  await store.close();
});
