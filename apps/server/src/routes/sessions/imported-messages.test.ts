import type { Message, ToolResultBlock } from '@ctx/core';
import type { TranscriptEvent } from '@ctx/transcripts';
import { expect, it } from 'vitest';
import { at, startServer } from '../../test-support/start-server.ts';

it('messages of an imported session are read with their results, page by page', async () => {
  const server = await startServer();
  const key = await server.key('read');
  const store = await server.stores.store('default');
  const { pointer } = await store.outputs.save({
    sessionId: 'imported',
    toolName: 'read',
    args: {},
    result: 'the whole file',
  });
  const source = { offset: 0, length: 0, sha256: '' };
  const event = (seq: number, lane: string, message: Message): TranscriptEvent => ({
    kind: 'message',
    seq,
    lane,
    message,
    source,
  });
  const meta: TranscriptEvent = { kind: 'meta', seq: 0, lane: 'main', source };
  const said: Message = { role: 'user', content: [{ type: 'text', text: 'read it' }] };
  const block: ToolResultBlock = { type: 'tool_result', toolUseId: 'c', content: [] };
  const payloads = [
    { event: meta, results: [] },
    { event: event(1, 'main', said), results: [] },
    {
      event: event(2, 'helper', { role: 'user', content: [block] }),
      results: [{ block: 0, output: pointer.id, form: 'text' }],
    },
  ];
  await store.events.append(
    'imported',
    payloads.map((payload) => ({ type: payload.event.kind, payload })),
  );
  const first = await server.call('/v1/sessions/imported/messages?limit=1', { key });
  expect(first.json).toEqual({ messages: [{ index: 1, message: said, lane: 'main' }], next: 2 });
  const rest = await server.call('/v1/sessions/imported/messages?from=2', { key });
  expect(at(rest.json, 'messages.0.lane')).toBe('helper');
  expect(at(rest.json, 'messages.0.message.content.0.content.0.text')).toBe('the whole file');
  expect(at(rest.json, 'next')).toBeUndefined();
  await server.stop();
});
