import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { messageCounter } from '@ctx/tokens';
import { approximateTokens } from '@ctx/tokens/approximate';
import { expect, test } from 'vitest';
import { restoreEvent, storedEventOf } from '../stored/stored-event.ts';
import { makeFolder, writeJsonFile } from '../testing/session-files.ts';
import { importTranscript } from './import-transcript.ts';

/** A call and its result. */
function pair(id: string, content: unknown): object[] {
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Bash', input: { n: id } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
  ];
}

const blocks = [
  { type: 'text', text: 'a block of words' },
  { type: 'text', text: 'and one more block' },
];

const session = {
  id: 'one',
  messages: [
    { role: 'user', content: 'run all of them' },
    ...pair('text', 'one plain text of words'),
    ...pair('blocks', blocks),
    ...pair('nothing', []),
  ],
};

test('results stand in the outputs alone, and an event counts what its whole message holds', async () => {
  const store = await openStore(memoryBackend());
  const path = writeJsonFile(makeFolder(), 'chat.json', session);
  const options = { redact: 'on', countTokens: approximateTokens } as const;
  const { signal } = new AbortController();
  await importTranscript(store, path, { ...options, signal });
  let results = 0;
  for await (const { payload, tokens } of store.events.read('one')) {
    const stored = storedEventOf(payload);
    if (stored === undefined) throw new TypeError('an import writes events of transcripts');
    expect(JSON.stringify(stored)).not.toMatch(/plain text|block of|more block/);
    results += stored.results.length;
    const { message } = await restoreEvent(store, 'one', stored);
    if (message === undefined) continue;
    expect(tokens).toBe(messageCounter({ counter: approximateTokens })(message));
  }
  expect(results).toBe(3);
});

test('a command counts as failed if the host writes so into its result', async () => {
  const store = await openStore(memoryBackend());
  const messages = [
    { role: 'user', content: 'run all of them' },
    ...pair('one', 'Process exited with code 1\nOutput:\nboom'),
    ...pair('two', 'Process exited with code 0\nOutput:\nok'),
  ];
  const path = writeJsonFile(makeFolder(), 'chat.json', { id: 'one', messages });
  const { signal } = new AbortController();
  await importTranscript(store, path, { redact: 'on', countTokens: approximateTokens, signal });
  const session = await store.sessions.get('one');
  expect(session?.document.tool_stats).toMatchObject({ total_calls: 2, failures: 1 });
});
