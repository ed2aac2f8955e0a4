import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { approximateTokens } from '@ctx/tokens/approximate';
import { importBytes } from '@ctx/transcripts/import';
import { cachePriceOf, sessionLog } from '@ctx/truncation';
import { expect, it } from 'vitest';
import { conversationOfSession } from './conversation-of-session.ts';
import { explainRequest } from './explain-request.ts';
import { playImported } from './play-imported.ts';

const windowTokens = 20_000;

/** A session with results that are shortened as they arrive, and more than the window holds. */
function transcript(calls: number): Uint8Array {
  const messages: unknown[] = [{ role: 'user', content: 'compare the builds' }];
  for (let call = 0; call < calls; call += 1) {
    const id = `call_${String(call)}`;
    const use = { type: 'tool_use', id, name: 'Bash', input: { command: `make ${id}` } };
    const line = (row: number): string => `${id}: compiled module ${String(row * 37)} of the tree`;
    const content = Array.from({ length: call % 5 === 0 ? 900 : 40 }, (_, row) => line(row));
    messages.push({ role: 'assistant', content: [use] });
    const result = { type: 'tool_result', tool_use_id: id, content: content.join('\n') };
    messages.push({ role: 'user', content: [result] });
  }
  messages.push({ role: 'assistant', content: [{ type: 'text', text: 'they are alike' }] });
  return Buffer.from(JSON.stringify({ id: 'builds', messages }));
}

it('explains requests of an import with the sizes that its played window has', async () => {
  const store = await openStore(memoryBackend(), { tokenCounter: approximateTokens });
  const { signal } = new AbortController();
  const source = { name: 'builds.json', bytes: transcript(60) };
  await importBytes(store, source, { redact: 'off', countTokens: approximateTokens, signal });
  const conversation = await conversationOfSession(store, 'builds', {});
  const played = await playImported(store, 'builds', { windowTokens });
  if (conversation === undefined || played === undefined) throw new TypeError('not imported');
  const log = sessionLog(played.store, 'builds');
  const places = await log.requests();
  expect(places).toHaveLength(61);
  for (const request of [1, 2, 20, 40, 61]) {
    const explained = await explainRequest(conversation, {
      ...{ request, mode: 'default', windowTokens },
      ...{ price: cachePriceOf('anthropic-5m'), countTokens: approximateTokens },
    });
    expect(explained.tokens).toBe((await log.view(places[request - 1])).tokens);
  }
});
