import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CtxClient, createClient } from '../../client/create-client.ts';
import { type RunningServer, startServer } from '../../test-support/start-server.ts';

let server: RunningServer;
let client: CtxClient;

function rows(id: string): string {
  return Array.from({ length: 150 }, (_, row) => `row of ${id}: ${String(row)}`).join('\n');
}

/** A recorded session with so many calls, whose transcript tells no times. */
function transcript(calls: number): string {
  const messages: unknown[] = [{ role: 'user', content: 'look around' }];
  for (let call = 0; call < calls; call += 1) {
    const id = `call_${String(call)}`;
    const use = { type: 'tool_use', id, name: 'Bash', input: { command: `list ${id}` } };
    messages.push({ role: 'assistant', content: [use] });
    const result = { type: 'tool_result', tool_use_id: id, content: rows(id) };
    messages.push({ role: 'user', content: [result] });
  }
  messages.push({ role: 'assistant', content: [{ type: 'text', text: 'done' }] });
  return JSON.stringify({ id: 'work', messages });
}

function conversation(calls: number) {
  const messages: Record<string, unknown>[] = [{ role: 'user', content: 'look around' }];
  for (let call = 0; call < calls; call += 1) {
    const id = `call_${String(call)}`;
    const tool = { id, type: 'function', function: { name: 'bash', arguments: '{"n":1}' } };
    const content = `what ${id} shows: ${'it goes on and on, '.repeat(40)}`;
    messages.push({ role: 'assistant', content, tool_calls: [tool] });
    messages.push({ role: 'tool', tool_call_id: id, content: rows(id) });
  }
  return messages;
}

async function diff(session: string, number: number, query = {}) {
  const params = { path: { session, number }, query };
  const { data } = await client.GET('/v1/sessions/{session}/requests/{number}/diff', { params });
  return data ?? expect.unreachable('there is no answer');
}

beforeAll(async () => {
  server = await startServer();
  client = createClient({ url: server.url, key: await server.key('write') });
  for (const calls of [1, 4, 8, 12, 16, 20, 24]) {
    const messages = conversation(calls);
    const body = { messages, format: 'openai-chat', windowTokens: 16_000 } as const;
    const params = { path: { session: 'kept' } };
    await client.POST('/v1/sessions/{session}/prepare', { params, body });
  }
  await client.POST('/v1/import', { body: { name: 'work.json', content: transcript(4) } });
});
afterAll(() => server.stop());

const sumOf = ({ sums }: Awaited<ReturnType<typeof diff>>, change: string) =>
  sums.find((one) => one.change === change) ?? expect.unreachable('each change has a sum');

describe('a request and the one before it', () => {
  it('differ by what was added alone where nothing left, and the cache keeps all of it', async () => {
    const found = await diff('kept', 2);
    expect(found.pieces.map(({ change }) => change)).toEqual(found.pieces.map(() => 'added'));
    expect(sumOf(found, 'kept').tokensBefore).toBe(sumOf(found, 'kept').tokensAfter);
    expect(found.cache.firstChange).toBeUndefined();
    expect(found.cache.findings.filter(({ cause }) => cause === 'messages')).toEqual([]);
  });

  it('say which piece broke the cache, at which byte, and what that cost', async () => {
    const params = { path: { session: 'kept' } };
    const { data } = await client.GET('/v1/sessions/{session}/requests', { params });
    const flushed = data?.requests.find(({ flush }) => flush !== undefined)?.number ?? 0;
    const found = await diff('kept', flushed);
    const first = found.cache.firstChange;
    const broken = found.pieces.find(({ segment }) => segment === first?.segment);
    expect(broken?.change).toMatch(/removed|changed/);
    const { before = '', after = '' } = broken ?? {};
    expect(before.slice(0, first?.byte)).toBe(after.slice(0, first?.byte));
    const [finding] = found.cache.findings;
    expect(finding?.cause).toBe('messages');
    expect(finding?.tokens).toBeLessThanOrEqual(sumOf(found, 'kept').tokensAfter);
    expect(finding?.dollars).toBeCloseTo(((finding?.ute ?? 0) * 3) / 1e6);
  });

  it('are priced by the list price of their model, as the cost of the session is', async () => {
    const params = { path: { session: 'dear' } };
    for (const calls of [1, 12, 24]) {
      const sizes = { windowTokens: 16_000, model: 'claude-opus-4-5' };
      const body = { messages: conversation(calls), format: 'openai-chat', ...sizes } as const;
      await client.POST('/v1/sessions/{session}/prepare', { params, body });
    }
    const { cache } = await diff('dear', 3);
    const { data } = await client.GET('/v1/sessions/{session}/cost', { params });
    const [model] = data?.models ?? [];
    const [finding] = cache.findings;
    expect([model?.dollarsPerMillion, cache.pricesDate]).toEqual([5, model?.pricesDate]);
    expect(finding?.ute).toBeGreaterThan(1000);
    expect(finding?.dollars).toBeCloseTo(((finding?.ute ?? 0) * 5) / 1e6, 10);
    // A token that the cache lacked is written at 1.25 and not read at 0.1.
    expect(cache.missed.ute).toBeCloseTo(1.15, 10);
    expect(cache.missed.dollars).toBeCloseTo((1.15 * 5) / 1e6, 10);
  });

  it('are priced for an hour where the cache was written for one', async () => {
    const params = { path: { session: 'hour' } };
    const reported = { inputTokens: 9000, cachedTokens: 1000, hourTokens: 8000 };
    for (const calls of [1, 12, 24, 25]) {
      const sizes = { windowTokens: 16_000, model: 'claude-opus-4-5' };
      const usage = calls === 1 ? {} : { usage: reported };
      const body = { messages: conversation(calls), format: 'openai-chat', ...sizes } as const;
      await client.POST('/v1/sessions/{session}/prepare', { params, body: { ...body, ...usage } });
    }
    const { cache } = await diff('hour', 3);
    const [{ ute, tokens } = expect.unreachable('the cache broke')] = cache.findings;
    expect([cache.price, ute / tokens]).toEqual(['anthropic-1h', expect.closeTo(1.9, 10)]);
  });

  it('name a system prompt that changed, without a text that stands for it', async () => {
    const params = { path: { session: 'changed' } };
    for (const calls of [12, 13]) {
      const system = `${'be brief. '.repeat(400)}${String(calls)}`;
      const body = { messages: conversation(calls), format: 'openai-chat', system } as const;
      await client.POST('/v1/sessions/{session}/prepare', { params, body });
    }
    const { cache } = await diff('changed', 2);
    expect(cache.findings.map(({ cause, change }) => [cause, change])).toEqual([
      ['system', undefined],
    ]);
  });

  it('are compared page by page', async () => {
    const whole = await diff('kept', 3, { limit: 200 });
    const page = await diff('kept', 3, { from: 1, limit: 2 });
    expect(page.pieces).toEqual(whole.pieces.slice(1, 3));
    expect(page.next).toBe(3);
  });

  it('are compared as recorded, and a request without one before it has no answer', async () => {
    const found = await diff('work', 3, { mode: 'recorded' });
    expect(sumOf(found, 'added').pieces).toBe(2);
    const path = { session: 'work', number: 99 };
    const { response } = await client.GET('/v1/sessions/{session}/requests/{number}/diff', {
      params: { path },
    });
    expect(response.status).toBe(404);
  });
});

it('a transcript without times has requests without a time', async () => {
  for (const mode of ['default', 'recorded'] as const) {
    const params = { path: { session: 'work' }, query: { mode } };
    const { data } = await client.GET('/v1/sessions/{session}/requests', { params });
    expect(data?.requests.length).toBe(5);
    expect(data?.requests.every(({ at }) => at === undefined)).toBe(true);
  }
});
