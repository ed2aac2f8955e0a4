import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { automaticCompaction } from '@ctx/agent-adapter';
import { replayFiles, replayPolicies } from '@ctx/replay';
import { memoryBackend } from '@ctx/store/backend';
import { cachePriceOf } from '@ctx/truncation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { paths } from '../../client/api.ts';
import { type CtxClient, createClient } from '../../client/create-client.ts';
import { bundledThread } from '../../test-support/bundled-thread.ts';
import { type RunningServer, startServer } from '../../test-support/start-server.ts';

const policies: NonNullable<WhatIfAsk['policies']> = [
  ...(['none', 'recipe', 'ctx'] as const),
  ...(['ctx-thrifty', 'ctx-evidence'] as const),
];
const begin = Date.UTC(2026, 10, 1);

const rows = (id: string): string =>
  Array.from({ length: 150 }, (_, row) => `const value${String(row)} = '${id}';`).join('\n');

/** A recorded session of so many reads and edits, some of them after a pause. */
function transcript(id: string, calls: number): string {
  const lines: unknown[] = [];
  const say = (type: string, seconds: number, content: unknown): void => {
    const timestamp = new Date(begin + seconds * 1000).toISOString();
    const uuid = `${id}-${String(lines.length)}`;
    const parentUuid = lines.length === 0 ? null : `${id}-${String(lines.length - 1)}`;
    const model = type === 'assistant' ? { model: 'claude-sonnet-4-5', id: uuid } : {};
    const message = { role: type, content, ...model };
    lines.push({ type, uuid, parentUuid, sessionId: id, timestamp, cwd: '/w', message });
  };
  say('user', 0, 'tidy these files');
  let seconds = 0;
  for (let call = 0; call < calls; call += 1) {
    seconds += call % 8 === 7 ? 900 : 15;
    const path = `/w/file${String(call % 5)}.ts`;
    const name = `call_${String(call)}`;
    const isEdit = call % 3 === 2;
    const input = isEdit
      ? { file_path: path, old_string: `const value3 = '${path}';`, new_string: 'const x = 1;' }
      : { file_path: path };
    say('assistant', seconds, [
      { type: 'tool_use', id: name, name: isEdit ? 'Edit' : 'Read', input },
    ]);
    const content = isEdit ? 'done' : rows(path);
    say('user', seconds + 5, [{ type: 'tool_result', tool_use_id: name, content }]);
  }
  say('assistant', seconds + 20, [{ type: 'text', text: 'all of them are tidy' }]);
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

const folder = mkdtempSync(join(tmpdir(), 'ctx-what-if-'));
let server: RunningServer;
let client: CtxClient;

function clientOf(key: string): CtxClient {
  return createClient({ url: server.url, key });
}

type WhatIfAsk = NonNullable<
  paths['/v1/sessions/{session}/what-if']['post']['requestBody']
>['content']['application/json'];

const pathOf = '/v1/sessions/{session}/what-if/{run}';

async function start(session: string, body: WhatIfAsk = {}, by = client) {
  const params = { path: { session } };
  return by.POST('/v1/sessions/{session}/what-if', { params, body: { policies, ...body } });
}

async function ended(session: string, run: string, by = client) {
  for (;;) {
    const { data } = await by.GET(pathOf, { params: { path: { session, run } } });
    if (data === undefined) return expect.unreachable('the run is known');
    if (data.state !== 'running') return data;
    await wait(50);
  }
}

async function played(session: string, body: WhatIfAsk = {}) {
  const { data } = await start(session, body);
  return ended(session, data?.id ?? '');
}

beforeAll(async () => {
  server = await startServer({ replayThread: await bundledThread(), logLevel: 'error' });
  client = clientOf(await server.key('write'));
  for (const [id, calls] of [
    ['told', 24],
    ['long', 300],
  ] as const) {
    const body = { name: `${id}.jsonl`, content: transcript(id, calls) };
    await client.POST('/v1/import', { body });
  }
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a session under other policies', () => {
  it('has the figures that `ctx replay` prints for the same transcript', async () => {
    const path = join(folder, 'told.jsonl');
    writeFileSync(path, transcript('told', 24));
    for (const [windowTokens, price] of [
      [20_000, 'anthropic-5m'],
      [64_000, 'openai'],
    ] as const) {
      const found = await played('told', { windowTokens, price });
      const { sessions } = await replayFiles([path], {
        openBackend: async () => memoryBackend(),
        policies: replayPolicies.filter(({ name }) => policies.some((one) => one === name)),
        ...{ windowTokens, price: cachePriceOf(price), compactWindow: automaticCompaction },
        ...{ redact: 'off', createRedactor: () => undefined, times: {}, withoutGaps: false },
        onProgress: () => undefined,
        signal: new AbortController().signal,
      });
      const [expected] = sessions;
      expect(found.times).toBe('transcript');
      expect(found.policies?.map(({ policy }) => policy)).toEqual(policies);
      expect(expected?.policies[0]?.requests).toBe(25);
      for (const [place, row] of (found.policies ?? []).entries()) {
        const { line, ...figures } = row;
        expect(expected?.policies[place]).toMatchObject(figures);
        expect(line.at(-1)).toEqual({ request: 25, dollars: figures.dollars });
      }
    }
  });

  it('says how far it is, and draws a long line with 200 points at most', async () => {
    const found = await played('long', { policies: ['none', 'ctx'], windowTokens: 64_000 });
    expect(found).toMatchObject({ state: 'done', step: 301, steps: 301 });
    const [none, ctx] = found.policies ?? [];
    expect(none?.line.length).toBeGreaterThan(100);
    expect(none?.line.length).toBeLessThanOrEqual(200);
    expect(none?.line.at(-1)?.request).toBe(301);
    expect(ctx?.dollars).toBeLessThan(none?.dollars ?? 0);
    expect(ctx?.overWindow).toBe(0);
    expect(JSON.stringify(found).length).toBeLessThan(300_000);
  });

  it('replays what an agent keeps, at the times of its requests', async () => {
    const messages: Record<string, unknown>[] = [{ role: 'user', content: 'look around' }];
    for (let call = 0; call < 12; call += 1) {
      const id = `call_${String(call)}`;
      const tool = { id, type: 'function', function: { name: 'bash', arguments: '{"n":1}' } };
      messages.push({ role: 'assistant', content: null, tool_calls: [tool] });
      messages.push({ role: 'tool', tool_call_id: id, content: rows(id) });
      const body = { messages, format: 'openai-chat', windowTokens: 16_000 } as const;
      const params = { path: { session: 'kept' } };
      await client.POST('/v1/sessions/{session}/prepare', { params, body });
    }
    const found = await played('kept', { windowTokens: 16_000 });
    expect(found.times).toBe('transcript');
    const [none] = found.policies ?? [];
    // The last request has no answer yet: nothing tells what it led to.
    expect(none?.requests).toBe(12);
    expect(none?.outputs).toBe(12);
    expect(found.policies?.find(({ policy }) => policy === 'ctx')?.overWindow).toBe(0);
  });
});

describe('a replay', () => {
  it('is cancelled at once and makes room, and leaves the store as it was', async () => {
    const before = await client.GET('/v1/stats');
    const { data: run } = await start('long');
    const params = { path: { session: 'long', run: run?.id ?? '' } };
    const second = await start('told');
    expect(second.response.status).toBe(429);
    expect(second.response.headers.get('retry-after')).toBe('5');
    expect(second.error?.detail).toContain('Cancel it');
    const { data: cancelled } = await client.DELETE(pathOf, { params });
    expect(cancelled?.state).toBe('cancelled');
    const found = await played('told', { policies: ['none'] });
    expect(found.state).toBe('done');
    expect((await client.GET(pathOf, { params })).data?.state).toBe('cancelled');
    expect((await client.DELETE(pathOf, { params })).data?.policies).toBeUndefined();
    expect((await client.GET('/v1/stats')).data).toEqual(before.data);
  });

  it('may be started by a key that only reads, and is seen by its own tenant alone', async () => {
    const reader = clientOf(await server.key('read'));
    const { data } = await start('told', { policies: ['none'] }, reader);
    const run = data?.id ?? '';
    expect((await ended('told', run, reader)).state).toBe('done');
    const stranger = clientOf(await server.key('admin', 'other'));
    const params = { path: { session: 'told', run } };
    expect((await stranger.GET(pathOf, { params })).response.status).toBe(404);
    expect((await stranger.DELETE(pathOf, { params })).response.status).toBe(404);
    expect((await start('told', {}, stranger)).response.status).toBe(404);
  });

  it('does not hold up the server: another request is answered while it runs', async () => {
    const { data } = await start('long');
    const run = data?.id ?? '';
    let answers = 0;
    for (; answers < 5; answers += 1) await client.GET('/v1/sessions', {});
    const params = { path: { session: 'long', run } };
    expect((await client.GET(pathOf, { params })).data?.state).toBe('running');
    await client.DELETE(pathOf, { params });
  });

  it('refuses a session that is not there, a policy, a window and prices that are none', async () => {
    expect((await start('nobody')).response.status).toBe(404);
    const key = await server.key('write');
    const refused = [
      { policies: ['nobody'] },
      { policies: [] },
      { policies: ['offline-optimum'] },
      { windowTokens: 10 },
      { price: 'free' },
    ];
    for (const body of refused) {
      const { status } = await server.call('/v1/sessions/told/what-if', { key, body });
      expect(status).toBe(422);
    }
  });

  it('refuses a session of more events than are replayed here, and says what to do', async () => {
    const store = await server.stores.store('default');
    const event = { type: 'other', payload: 1 };
    for (let count = 0; count <= 20; count += 1) {
      await store.events.append(
        'large',
        Array.from({ length: 1000 }, () => event),
      );
    }
    const { response, error } = await start('large');
    expect(response.status).toBe(413);
    expect(error?.detail).toContain('ctx replay');
  });

  it('says that a session without an answer has nothing to replay', async () => {
    const content = '[{"role":"user","content":"hello"}]';
    await client.POST('/v1/import', { body: { name: 'a.json', content, session: 'asked' } });
    const found = await played('asked');
    expect([found.state, found.detail]).toEqual([
      'failed',
      'No request of the session has an answer.',
    ]);
  });

  it('ends with the server', async () => {
    const other = await startServer({ replayThread: await bundledThread() });
    const by = createClient({ url: other.url, key: await other.key('write') });
    await by.POST('/v1/import', { body: { name: 'long.jsonl', content: transcript('long', 300) } });
    expect((await start('long', {}, by)).response.status).toBe(202);
    await other.stop();
  });
});
