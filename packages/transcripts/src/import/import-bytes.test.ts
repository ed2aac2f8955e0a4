import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { approximateTokens } from '@ctx/tokens/approximate';
import { expect, test } from 'vitest';
import { claudeLog } from '../testing/agent-logs.ts';
import { importBytes } from './import-bytes.ts';

test('a transcript in memory is imported once, goes on where it grew, and another under its name replaces it', async () => {
  const store = await openStore(memoryBackend());
  const importText = async (text: string, name = 'log.jsonl') => {
    const bytes = new TextEncoder().encode(text);
    const signal = new AbortController().signal;
    const options = { redact: 'off', countTokens: approximateTokens, signal } as const;
    const { status, outputs } = await importBytes(store, { name, bytes }, options);
    const { events } = await store.events.tally('live');
    return { status, outputs, events };
  };
  expect(await importText(claudeLog(2))).toMatchObject({ status: 'imported', outputs: 2 });
  expect(await importText(claudeLog(2))).toMatchObject({ status: 'unchanged', outputs: 2 });
  const grown = await importText(claudeLog(4));
  expect(grown).toMatchObject({ status: 'continued', outputs: 4 });
  const replaced = await importText(claudeLog(4).replaceAll('do ', 'go '));
  expect(replaced).toMatchObject({ status: 'replaced', outputs: 4, events: grown.events });
  expect(await importText(claudeLog(3), 'copy.jsonl')).toMatchObject({ status: 'imported' });
  await store.close();
});
