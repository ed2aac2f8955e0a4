import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CtxClient, createClient } from '../../client/create-client.ts';
import { type RunningServer, startServer } from '../../test-support/start-server.ts';

const params = { path: { session: 'work' } };
let server: RunningServer;
let client: CtxClient;

function rows(id: string): string {
  return Array.from({ length: 150 }, (_, row) => `row of ${id}: ${String(row)}`).join('\n');
}

/** A conversation with so many calls, whose results are of middle size. */
function conversation(calls: number) {
  const messages: Record<string, unknown>[] = [{ role: 'user', content: 'look around' }];
  for (let call = 0; call < calls; call += 1) {
    const id = `call_${String(call)}`;
    const tool = { id, type: 'function', function: { name: 'bash', arguments: '{"n":1}' } };
    messages.push({ role: 'assistant', content: '', tool_calls: [tool] });
    messages.push({ role: 'tool', tool_call_id: id, content: rows(id) });
  }
  return messages;
}

beforeAll(async () => {
  server = await startServer();
  client = createClient({ url: server.url, key: await server.key('write') });
  for (const calls of [1, 4, 8, 12, 16, 20, 24]) {
    const body = {
      messages: conversation(calls),
      format: 'openai-chat',
      windowTokens: 16_000,
    } as const;
    await client.POST('/v1/sessions/{session}/prepare', { params, body });
  }
});
afterAll(() => server.stop());

describe('the requests of a session', () => {
  it('are listed with their sizes and what left, in pages', async () => {
    const all = await client.GET('/v1/sessions/{session}/requests', { params });
    expect(all.data?.total).toBe(7);
    expect(all.data?.requests.some(({ flush }) => flush !== undefined)).toBe(true);
    const query = { from: 2, limit: 3 };
    const page = await client.GET('/v1/sessions/{session}/requests', {
      params: { ...params, query },
    });
    expect(page.data?.requests.map(({ number }) => number)).toEqual([2, 3, 4]);
    expect(page.data?.next).toBe(5);
  });

  it.each([
    [0, 'system'],
    [195, undefined],
  ])(
    'missed the cache only if the provider does not say otherwise: %i cached, %s',
    async (cachedTokens, cause) => {
      const path = { session: `short-${String(cachedTokens)}` };
      const usages = [undefined, { inputTokens: 200 }, { inputTokens: 300, cachedTokens }];
      for (const [turn, usage] of usages.entries()) {
        const body = {
          messages: conversation(turn + 1),
          format: 'openai-chat',
          system: `be brief, ${String(turn)}`,
          ...(usage && { usage }),
        };
        await client.POST('/v1/sessions/{session}/prepare', {
          params: { path },
          body: body as never,
        });
      }
      const { data } = await client.GET('/v1/sessions/{session}/requests', { params: { path } });
      expect([data?.total, data?.requests[1]?.cause]).toEqual([3, cause]);
    },
  );

  it('are shown as the model saw them, with what stood there before', async () => {
    const query = { at: 7 };
    const { data } = await client.GET('/v1/sessions/{session}/view', {
      params: { ...params, query },
    });
    expect(data?.number).toBe(7);
    const left = data?.segments.filter(({ original }) => original !== undefined) ?? [];
    expect(left.length).toBeGreaterThan(0);
    expect(left.some(({ original }) => original?.includes('row of call_0') === true)).toBe(true);
    expect(data?.kinds.map(({ kind }) => kind)).toContain('result');
    expect(data?.segments.find(({ kind }) => kind === 'result')?.toolName).toBe('bash');
  });

  it('tell their sizes alone where that is wanted, and say 404 for one that is not there', async () => {
    const brief = await client.GET('/v1/sessions/{session}/view', {
      params: { ...params, query: { characters: 0 } },
    });
    expect([brief.data?.segments.length, brief.data?.number]).toEqual([0, 8]);
    const none = await client.GET('/v1/sessions/{session}/view', {
      params: { ...params, query: { at: 99 } },
    });
    expect(none.response.status).toBe(404);
  });

  it('are left behind by a rewind, which brings back what left', async () => {
    const before = await client.GET('/v1/sessions/{session}/requests', { params });
    const at = before.data?.requests.findIndex(({ flush }) => flush !== undefined) ?? 0;
    const to = before.data?.requests[at - 1]?.sequence ?? 0;
    const done = await client.POST('/v1/sessions/{session}/rewind', { params, body: { to } });
    expect(done.data?.to).toBe(to);
    const after = await client.GET('/v1/sessions/{session}/requests', { params });
    expect(after.data?.total).toBe(at);
    const view = await client.GET('/v1/sessions/{session}/view', { params });
    expect(view.data?.segments.every(({ cause }) => cause === undefined)).toBe(true);
    const nobody = { path: { session: 'nobody' } };
    const none = await client.POST('/v1/sessions/{session}/rewind', {
      params: nobody,
      body: { to },
    });
    expect(none.response.status).toBe(404);
  });
});
