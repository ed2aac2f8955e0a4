import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { Message } from '@ctx/core';
import { sqliteBackend } from '@ctx/store-sqlite';
import { openSessionWindow } from '@ctx/truncation';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CtxClient, createClient } from '../client/create-client.ts';
import { bundledThread } from '../test-support/bundled-thread.ts';
import { type RunningServer, startServer } from '../test-support/start-server.ts';

/** Calls of the session: with their results 3,000 messages. */
const calls = 1_500;

const words = ['store', 'window', 'cache', 'token', 'plan', 'read', 'edit', 'line'];

/** A text of so many lines that no other place has. */
function text(place: number, lines: number): string {
  const word = (row: number): string => words[(place + row * row) % words.length] ?? '';
  return Array.from({ length: lines }, (_, row) => {
    const figures = `${String(place)}.${String(row)}`;
    return `${word(row)} ${figures} ${word(row + 1)} ${word(row + place)} ${figures}`;
  }).join('\n');
}

/** The messages of a call, and of its result. */
function messagesOf(call: number): Message[] {
  const id = `call_${String(call)}`;
  const input = { file_path: `/w/file${String(call % 300)}.ts` };
  const found = text(call, 40 + (call % 160));
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', toolUseId: id, content: [{ type: 'text', text: found }] }],
    },
  ];
}

const task: Message = { role: 'user', content: [{ type: 'text', text: 'tidy these files' }] };

const asAnthropic = ({ role, content }: Message) => ({
  role,
  content: content.map((block) =>
    block.type === 'tool_result'
      ? { type: block.type, tool_use_id: block.toolUseId, content: block.content }
      : block,
  ),
});

async function importSession(): Promise<void> {
  const messages = [task, ...Array.from({ length: calls }, (_, call) => messagesOf(call)).flat()];
  const content = JSON.stringify({ id: 'imported', messages: messages.map(asAnthropic) });
  const body = { name: 'long.json', content, session: 'imported' };
  expect((await client.POST('/v1/import', { body })).response.status).toBe(200);
}

async function keepSession(): Promise<void> {
  const store = await server.stores.store('default');
  const window = await openSessionWindow({ store, sessionId: 'kept' });
  await window.insert([task]);
  for (let call = 0; call < calls; call += 1) {
    await window.request(call * 1000);
    await window.insert(messagesOf(call));
  }
  await window.close();
}

const folder = mkdtempSync(join(tmpdir(), 'ctx-lag-'));
let server: RunningServer;
let client: CtxClient;

beforeAll(async () => {
  server = await startServer({
    ...{ replayThread: await bundledThread(), logLevel: 'error' },
    backend: sqliteBackend({ path: join(folder, 'store.db') }),
    limits: { bodyBytes: 64 * 1024 * 1024 },
  });
  client = createClient({ url: server.url, key: await server.key('write') });
  await importSession();
  await keepSession();
}, 300_000);
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

it.each(['imported', 'kept'])(
  'replays a session of 3,000 messages that was %s on another thread, and prints how late the server was meanwhile',
  async (session) => {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    await wait(500);
    delay.enable();
    const { data: begun } = await client.POST('/v1/sessions/{session}/what-if', {
      params: { path: { session } },
      body: { policies: ['none', 'ctx'] },
    });
    const path = { session, run: begun?.id ?? '' };
    let run = begun;
    while (run?.state === 'running') {
      await wait(100);
      run = (await client.GET('/v1/sessions/{session}/what-if/{run}', { params: { path } })).data;
    }
    delay.disable();
    const ms = (nanoseconds: number): string => (nanoseconds / 1e6).toFixed(1);
    const [p50, p99] = [delay.percentile(50), delay.percentile(99)];
    console.log(
      `${session}: delay of the event loop in ms: p50 ${ms(p50)}, p99 ${ms(p99)}, most ${ms(delay.max)}`,
    );
    expect(run?.state).toBe('done');
    expect(run?.steps).toBeGreaterThanOrEqual(calls - 1);
  },
  300_000,
);
