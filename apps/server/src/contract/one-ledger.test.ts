import { createServer } from 'node:http';
import { conversationOfSession, topReader } from '@ctx/replay';
import { memoryBackend } from '@ctx/store/backend';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CtxClient, createClient } from '../client/create-client.ts';
import { callUrl, type RunningServer, startServer } from '../test-support/start-server.ts';

const calls = 12;

const rows = (id: string): string =>
  Array.from({ length: 400 }, (_, row) => `row ${String(row)} of ${id} is ${id}`).join('\n');

/** The messages up to the request that answers so many calls. */
function messagesTo(count: number): Record<string, unknown>[] {
  const ids = Array.from({ length: count }, (_, call) => `c${String(call)}`);
  const exchanges = ids.flatMap((id) => [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: `now ${id}` },
        { type: 'tool_use', id, name: 'Read', input: { file_path: `${id}.ts` } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: rows(id) }] },
  ]);
  return [{ role: 'user', content: 'mend the rows' }, ...exchanges];
}

/** A provider that counts as it pleases: a token for two and a half characters. */
async function startProvider(): Promise<{ readonly url: URL; readonly close: () => void }> {
  const provider = createServer((request, response) => {
    let length = 0;
    request.on('data', (chunk: Buffer) => (length += chunk.length));
    request.on('end', () => {
      const usage = { input_tokens: Math.round(length / 2.5), output_tokens: 7 };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ usage }));
    });
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const address = provider.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: new URL(`http://127.0.0.1:${String(port)}`), close: () => provider.close() };
}

const model = 'claude-3-5-haiku-latest';
let server: RunningServer;
let client: CtxClient;
let stopProvider: () => void;
let now = Date.UTC(2026, 0);

async function proxySession(key: string): Promise<void> {
  for (let count = 0; count <= calls; count += 1) {
    // Each after the cache has expired, so that what need not stay leaves.
    now += 20 * 60_000;
    const body = {
      ...{ model, max_tokens: 20_000, system: 'Be careful.', messages: messagesTo(count) },
      tools: [{ name: 'Read', description: 'reads', input_schema: { type: 'object' } }],
    };
    const headers = { 'x-api-key': 'k', 'x-claude-code-session-id': 'proxied' };
    await callUrl(`${server.url}/t/${key}/v1/messages`, { body, headers });
  }
}

/** A transcript of Claude Code, whose provider reported other sizes than ctx counts. */
function transcript(): string {
  const lines = messagesTo(calls).map((message, index) => ({
    ...{ type: message['role'], uuid: `u${String(index)}`, sessionId: 'imported' },
    parentUuid: index === 0 ? null : `u${String(index - 1)}`,
    timestamp: new Date(Date.UTC(2026, 0, 1, 0, index * 20)).toISOString(),
    message: {
      ...message,
      ...(message['role'] === 'user'
        ? {}
        : {
            model,
            id: `m${String(index)}`,
            usage: { input_tokens: 900 * index + 50, output_tokens: 9 },
          }),
    },
  }));
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

beforeAll(async () => {
  const provider = await startProvider();
  stopProvider = provider.close;
  server = await startServer({
    backend: memoryBackend(),
    clock: () => now,
    proxy: { upstreams: { anthropic: provider.url } },
  });
  const key = await server.key('write');
  client = createClient({ url: server.url, key });
  await proxySession(key);
  await server.call('/v1/import', { key, body: { name: 'imported.jsonl', content: transcript() } });
  const description = 'reads a file, as a whole or by line, '.repeat(40);
  const tools = [{ name: 'Read', description, input_schema: { type: 'object' } }];
  const unreported = {
    id: 'unreported',
    system: 'Be careful.',
    tools,
    messages: messagesTo(calls),
  };
  const content = JSON.stringify(unreported);
  await server.call('/v1/import', { key, body: { name: 'unreported.json', content } });
  const system = { role: 'system', content: 'Be careful, and say what you did. '.repeat(30) };
  const messages = [system, { role: 'user', content: 'hi' }, { role: 'assistant', content: 'yes' }];
  const leading = JSON.stringify({ id: 'leading', messages });
  await server.call('/v1/import', { key, body: { name: 'leading.json', content: leading } });
  for (let count = 0; count <= calls; count += 2) {
    now += 20 * 60_000;
    await client.POST('/v1/sessions/{session}/prepare', {
      params: { path: { session: 'live' } },
      body: { messages: messagesTo(count), format: 'anthropic', windowTokens: 40_000 },
    });
  }
});
afterAll(async () => {
  await server.stop();
  stopProvider();
});

async function idOf(name: string): Promise<string> {
  if (name !== 'proxied') return name;
  const { data } = await client.GET('/v1/sessions');
  return data?.sessions.find(({ source }) => source?.startsWith('proxy:'))?.id ?? '';
}

type Sized = { readonly tokensBefore: number; readonly tokensAfter: number };
const sum = <T>(all: readonly T[], of: (one: T) => number): number =>
  all.reduce((total, one) => total + of(one), 0);
const after = ({ tokensAfter }: Sized): number => tokensAfter;
const before = ({ tokensBefore }: Sized): number => tokensBefore;

/** Expects that numbers are one but for the rounding of floating point. */
function expectOne(numbers: readonly (number | undefined)[]): void {
  const [first = Number.NaN] = numbers;
  for (const one of numbers) expect(one).toBeCloseTo(first, 5);
}

it.each([
  ['proxied', 'default'],
  ['live', 'default'],
  ['imported', 'default'],
  ['imported', 'thrifty'],
] as const)('all answers about a session agree as it stands: %s, %s', async (name, mode) => {
  const session = await idOf(name);
  const params = { path: { session }, query: { mode } };
  const { data: view } = await client.GET('/v1/sessions/{session}/view', { params });
  const { data: context } = await client.GET('/v1/sessions/{session}/context', { params });
  const { data: why } = await client.GET('/v1/sessions/{session}/why', { params });
  const { data: heat } = await client.GET('/v1/sessions/{session}/heat', { params });
  if (view === undefined || context === undefined || why === undefined) throw new Error('no view');
  const { segments, fixedTokens, tokens } = view;
  const removed = sum(segments, before) - sum(segments, after);
  expect(removed).toBeGreaterThan(0);
  expectOne([tokens, fixedTokens + sum(segments, after), context.tokens]);
  expectOne([
    tokens,
    fixedTokens + sum(view.kinds, after),
    context.fixedTokens + sum(context.forms, after),
  ]);
  expectOne([tokens + removed, context.tokensWhole]);
  expectOne([sum(segments, before), sum(why.segments, before), sum(view.kinds, before)]);
  expectOne([sum(segments, after), sum(why.segments, after)]);
  const tools = segments.filter(({ kind }) => kind === 'call' || kind === 'result');
  expectOne([sum(tools, before), sum(heat?.tools ?? [], ({ tokens: all }) => all)]);
  expectOne([sum(tools, after), sum(heat?.tools ?? [], ({ inViewTokens }) => inViewTokens)]);
  expectOne([view.limitTokens, context.limitTokens]);
  expectOne([view.windowTokens, context.windowTokens]);
});

it.each(['proxied', 'live'])(
  'what is read from the store of a session says the same: %s',
  async (name) => {
    const session = await idOf(name);
    const store = await server.stores.store('default');
    const params = { path: { session } };
    const { data: view } = await client.GET('/v1/sessions/{session}/view', { params });
    const { data: status } = await client.GET('/v1/sessions/{session}/use', { params });
    const top = await topReader(store, {
      ...{ id: session, windowTokens: 1000, usedTokensOf: () => undefined },
    }).read();
    const explained = (await conversationOfSession(store, session, {}))?.stored;
    if (view === undefined || explained === undefined) throw new Error('no view');
    const { systemTokens, toolTokens, fixedTokens = 0, segments } = explained;
    const inView = sum(segments, ({ reason }) => reason.tokens);
    expectOne([view.tokens, status?.use?.tokens, top.window.tokens, explained.tokens]);
    expectOne([view.tokens, sum(top.window.states, ({ tokens }) => tokens)]);
    expectOne([view.tokens, systemTokens + toolTokens + fixedTokens + inView]);
    const { windowTokens = 0, reserveTokens = 0, freeTokens = 0, tokens = 0 } = status?.use ?? {};
    expectOne([view.limitTokens, top.window.limitTokens, explained.limitTokens]);
    expectOne([view.limitTokens, windowTokens - reserveTokens, tokens + freeTokens]);
    expectOne([view.windowTokens, windowTokens, explained.windowTokens]);
  },
);

it.each(['imported', 'unreported', 'leading'])(
  'what its agent sent of an import is as ctx status says it: %s',
  async (session) => {
    const path = { session };
    const query = { mode: 'recorded' } as const;
    const { data: view } = await client.GET('/v1/sessions/{session}/view', {
      params: { path, query },
    });
    const { data: status } = await client.GET('/v1/sessions/{session}/use', { params: { path } });
    const { windowTokens = 0, reserveTokens = 0, tokens, parts = [] } = status?.use ?? {};
    const prompt = parts.find(({ part }) => part === 'system')?.tokens;
    expectOne([prompt ?? 0, view?.fixed?.system ?? 0]);
    expect(prompt === undefined).toBe(session === 'imported');
    expectOne([view?.tokens, tokens, (view?.fixedTokens ?? 0) + sum(view?.segments ?? [], after)]);
    expect([view?.windowTokens, view?.limitTokens]).toEqual([
      windowTokens,
      windowTokens - reserveTokens,
    ]);
  },
);

it.each([
  ['proxied', 'default'],
  ['live', 'default'],
  ['imported', 'default'],
  ['imported', 'recorded'],
  ['unreported', 'recorded'],
] as const)('all answers about each request agree: %s, %s', async (name, mode) => {
  const session = await idOf(name);
  const path = { session };
  const { data: list } = await client.GET('/v1/sessions/{session}/requests', {
    params: { path, query: { mode } },
  });
  expect(list?.requests.length).toBeGreaterThan(6);
  const isReported = name === 'proxied' || (name === 'imported' && mode === 'recorded');
  for (const request of list?.requests ?? []) {
    const { number, tokens, reported, limitTokens, windowTokens, flush } = request;
    const query = { at: number, mode };
    const { data: view } = await client.GET('/v1/sessions/{session}/view', {
      params: { path, query },
    });
    expect(reported?.inputTokens).toBe(isReported ? tokens : undefined);
    expectOne([tokens, view?.tokens, (view?.fixedTokens ?? 0) + sum(view?.segments ?? [], after)]);
    expect([view?.limitTokens, view?.windowTokens]).toEqual([limitTokens, windowTokens]);
    if (flush !== undefined) expectOne([flush.afterTokens, tokens]);
    if (number === 1) continue;
    const { data: diff } = await client.GET('/v1/sessions/{session}/requests/{number}/diff', {
      params: { path: { ...path, number }, query: { mode } },
    });
    const { tokensBefore, tokensAfter, fixedBefore = 0, fixedAfter = 0, sums = [] } = diff ?? {};
    expectOne([tokens, tokensAfter, fixedAfter + sum(sums, after)]);
    expectOne([list?.requests[number - 2]?.tokens, tokensBefore, fixedBefore + sum(sums, before)]);
  }
});

it('a step of a session whose provider reports other sizes sends only what changed, on the scale of its request', async () => {
  const path = { session: await idOf('proxied') };
  for (const at of [4, 8, 12]) {
    const view = async (since: { readonly since?: number }) => {
      const params = { path, query: { at, ...since } };
      const { data } = await client.GET('/v1/sessions/{session}/view', { params });
      if (data === undefined) throw new Error('no view');
      return data;
    };
    const [whole, step] = [await view({}), await view({ since: at - 1 })];
    expect(step.segments.length).toBeLessThan(whole.segments.length / 2 + 3);
    expect(step.scale).toBe(whole.scale);
    const known = new Map(whole.segments.map((one) => [one.segment, one]));
    for (const one of step.segments) expect(one).toEqual(known.get(one.segment));
  }
});
