import type { ContentBlock, ToolResultBlock } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { expect, test } from 'vitest';
import type { TranscriptEvent } from '../transcript.ts';
import {
  restoreEvent,
  resultOf,
  type StoredResult,
  storedEventOf,
  withoutResults,
} from './stored-event.ts';

const result = (content: ToolResultBlock['content'], isError = false): ToolResultBlock => ({
  type: 'tool_result',
  toolUseId: 'call-1',
  content,
  ...(isError ? { isError } : {}),
});

const cases: readonly (readonly [string, ToolResultBlock])[] = [
  ['one text', result([{ type: 'text', text: 'plain\n\u0000\ud800' }])],
  ['the empty text', result([{ type: 'text', text: '' }])],
  ['nothing', result([], true)],
  [
    'two texts',
    result([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]),
  ],
  [
    'a text with foreign fields',
    result([{ type: 'text', text: 'a', extra: { fields: { cache_control: 1 } } }]),
  ],
  ['an image', result([{ type: 'opaque', format: 'anthropic:image', data: { source: 'x' } }])],
  [
    'text that looks like a pointer',
    result([{ type: 'text', text: '{"block":0,"output":"x","form":"text"}' }]),
  ],
];

test.each(cases)('%s comes back as it was', async (_name, block) => {
  const store = await openStore(memoryBackend());
  const before: ContentBlock = { type: 'text', text: 'before' };
  const event: TranscriptEvent = {
    kind: 'message',
    seq: 0,
    lane: 'main',
    message: { role: 'user', content: [before, block] },
    source: { offset: 0, length: 1, sha256: '' },
  };
  const { value, form } = resultOf(block);
  const saved = await store.outputs.save({
    sessionId: 's',
    toolName: 't',
    args: {},
    result: value,
  });
  const results: StoredResult[] = [{ block: 1, output: saved.pointer.id, form }];
  const message = event.message && withoutResults(event.message, results);
  expect(message?.content[1]).toEqual({ ...block, content: [] });
  await store.events.append('s', [
    { type: 'message', payload: { event: { ...event, message }, results } },
  ]);
  for await (const { payload } of store.events.read('s')) {
    const stored = storedEventOf(payload);
    expect(stored && (await restoreEvent(store, 's', stored))).toEqual(event);
  }
  expect(await store.events.tally('s')).toEqual({ events: 1, tokens: 0 });
});

test('a missing output is named, not left out', async () => {
  const store = await openStore(memoryBackend());
  const event: TranscriptEvent = {
    kind: 'message',
    seq: 0,
    lane: 'main',
    message: { role: 'user', content: [result([])] },
    source: { offset: 0, length: 1, sha256: '' },
  };
  const stored = { event, results: [{ block: 0, output: 'gone', form: 'text' as const }] };
  await expect(restoreEvent(store, 's', stored)).rejects.toMatchObject({
    code: 'CTX_STORE_CORRUPT',
  });
});

test.each([[null], ['text'], [{ event: 1, results: [] }], [{ event: { kind: 'message' } }]])(
  'a log entry of somebody else is not taken for one of an import: %j',
  (payload) => {
    expect(storedEventOf(payload)).toBeUndefined();
  },
);
