import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { approximateTokens } from '@ctx/tokens/approximate';
import { expect, test } from 'vitest';
import { makeFolder } from '../testing/session-files.ts';
import type { TranscriptEvent } from '../transcript.ts';
import { importTranscript } from './import-transcript.ts';
import { startResultReader } from './reading/read-results.ts';

const item = (payload: object): string =>
  JSON.stringify({ timestamp: '2026-03-01T10:00:00.000Z', type: 'response_item', payload });

test('a rollout of Codex is imported under the id that it gives itself', async () => {
  const path = join(makeFolder(), 'rollout.jsonl');
  const content = [{ type: 'input_text', text: 'list the files' }];
  const lines = [
    JSON.stringify({ timestamp: 'x', type: 'session_meta', payload: { id: 'own-id', cwd: '/p' } }),
    item({ type: 'message', role: 'user', content }),
    item({ type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}', call_id: 'c1' }),
    item({ type: 'function_call_output', call_id: 'c1', output: 'a.ts' }),
    '{"timestamp":"torn',
  ];
  writeFileSync(path, lines.join('\n'));
  const store = await openStore(memoryBackend());
  const entry = await importTranscript(store, path, {
    redact: 'off',
    countTokens: approximateTokens,
    signal: new AbortController().signal,
  });
  expect(entry).toMatchObject({
    session: 'own-id',
    format: 'codex',
    messages: 3,
    outputs: 1,
    unreadable: { 'torn-tail': 1 },
  });
  const { entries } = await store.outputs.pointers({ sessionId: 'own-id' });
  expect(entries).toMatchObject([{ toolName: 'exec_command' }]);
});

test('a long log does not keep its calls in memory: the newest 10,000 are enough', () => {
  const reader = startResultReader('s');
  const source = { offset: 0, length: 1, sha256: '' };
  const read = (role: 'user' | 'assistant', block: object): unknown => {
    const event = {
      kind: 'message',
      seq: 0,
      lane: 'main',
      source,
      message: { role, content: [block] },
    };
    return reader.read(event as TranscriptEvent)[0]?.input.toolName;
  };
  const call = (id: number): unknown =>
    read('assistant', { type: 'tool_use', id: `c${String(id)}`, name: 'Read', input: {} });
  const nameFor = (id: number): unknown =>
    read('user', { type: 'tool_result', toolUseId: `c${String(id)}`, content: [] });
  for (let id = 0; id < 10_001; id += 1) call(id);
  expect([nameFor(0), nameFor(1), nameFor(10_000)]).toEqual(['unknown', 'Read', 'Read']);
});
