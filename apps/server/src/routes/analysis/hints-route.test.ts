import { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type CtxClient, createClient } from '../../client/create-client.ts';
import { type RunningServer, startServer } from '../../test-support/start-server.ts';

let server: RunningServer;
let client: CtxClient;

const begin = Date.UTC(2026, 10, 1);
const lines = Array.from({ length: 300 }, (_, row) => `const value${String(row)} = 1;`).join('\n');

interface Step {
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly result: string;
  readonly seconds: number;
  readonly input_tokens: number;
  readonly cached: number;
  /** How long the call takes, seconds. Default 1. */
  readonly took?: number;
  /** What was written to the cache for an hour. */
  readonly hour?: number;
}

/** A transcript of Claude Code, with what the provider reported. */
function transcript(id: string, steps: readonly Step[]): string {
  const records: unknown[] = [];
  const say = (type: string, seconds: number, message: object): void => {
    const uuid = `${id}-${String(records.length)}`;
    const parentUuid = records.length === 0 ? null : `${id}-${String(records.length - 1)}`;
    const timestamp = new Date(begin + seconds * 1000).toISOString();
    records.push({ type, uuid, parentUuid, sessionId: id, timestamp, cwd: '/w', message });
  };
  say('user', 0, { role: 'user', content: 'look at these files' });
  for (const [index, step] of steps.entries()) {
    const { name, input, result, seconds, input_tokens, cached, took = 1, hour = 0 } = step;
    const call = `call_${String(index)}`;
    say('assistant', seconds, {
      role: 'assistant',
      ...{ id: call, model: 'claude-sonnet-4-5' },
      content: [{ type: 'tool_use', id: call, name, input }],
      usage: {
        input_tokens: input_tokens - cached - hour,
        ...{ cache_read_input_tokens: cached, cache_creation_input_tokens: hour },
        ...{ cache_creation: { ephemeral_1h_input_tokens: hour }, output_tokens: 20 },
      },
    });
    const content = [{ type: 'tool_result', tool_use_id: call, content: result }];
    say('user', seconds + took, { role: 'user', content });
  }
  return records.map((record) => JSON.stringify(record)).join('\n');
}

const read = (file: string, seconds: number, input_tokens: number, cached: number): Step => ({
  ...{ name: 'Read', input: { file_path: file }, result: lines },
  ...{ seconds, input_tokens, cached },
});

async function take(id: string, steps: readonly Step[]) {
  const body = { name: `${id}.jsonl`, content: transcript(id, steps), session: id };
  expect((await client.POST('/v1/import', { body })).response.status).toBe(200);
}

async function hintsOf(session: string, mode: 'recorded' | 'default' = 'recorded') {
  const params = { path: { session }, query: { mode } };
  const { data } = await client.GET('/v1/sessions/{session}/hints', { params });
  return data?.hints ?? expect.unreachable('there is an answer');
}

beforeAll(async () => {
  server = await startServer();
  client = createClient({ url: server.url, key: await server.key('write') });
});
afterAll(() => server.stop());

describe('hints', () => {
  it('say how near the limit the last request is, from 90% on', async () => {
    await take('near', [read('/w/a.ts', 10, 180_000, 0)]);
    const params = { path: { session: 'near' }, query: { mode: 'recorded' as const } };
    const { data } = await client.GET('/v1/sessions/{session}/requests', { params });
    const limitTokens = data?.requests[0]?.limitTokens ?? 0;
    expect(180_000).toBeGreaterThan(0.9 * limitTokens);
    expect(await hintsOf('near')).toEqual([
      { kind: 'near-limit', request: 1, tokens: 180_000, limitTokens },
    ]);
    await take('larger', [read('/w/a.ts', 10, 300_000, 0), read('/w/b.ts', 20, 190_000, 0)]);
    expect((await hintsOf('larger')).filter(({ kind }) => kind === 'near-limit')).toEqual([]);
    await take('far', [read('/w/a.ts', 10, Math.floor(0.89 * limitTokens), 0)]);
    expect(await hintsOf('far')).toEqual([]);
  });

  it('name a cache break that comes three times, its tokens and its price, and none that comes twice', async () => {
    const pauses = (count: number) =>
      Array.from({ length: count + 1 }, (_, index) => ({
        ...read(`/w/file${String(index)}.ts`, index * 600, 20_000 + index * 5000, 0),
        took: 599,
      }));
    await take('paused', pauses(3));
    const lost = 20_000 + 25_000 + 30_000;
    const [found, ...others] = await hintsOf('paused');
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      ...{ kind: 'cache-breaks', cause: 'lifetime', times: 3, tokens: lost },
      ...{ isReported: true, request: 4 },
    });
    // A cache write of Sonnet costs 1.25 of $3 a million, a read 0.1.
    const dollars = found?.kind === 'cache-breaks' ? found.dollars : Number.NaN;
    expect(dollars).toBeCloseTo((lost * 1.15 * 3) / 1e6, 6);
    await take('paused-twice', pauses(2));
    expect(await hintsOf('paused-twice')).toEqual([]);
  });

  it('price a break of a cache that is written for an hour at its price, and forget nothing within it', async () => {
    const steps = Array.from({ length: 4 }, (_, index) => ({
      ...read(`/w/file${String(index)}.ts`, index * 600, 20_000 + index * 5000, 0),
      ...{ took: 599, hour: 20_000 + index * 5000 },
    }));
    await take('paused-an-hour', steps);
    const [found] = await hintsOf('paused-an-hour');
    expect(found).toMatchObject({ cause: 'unknown', tokens: 75_000 });
    const dollars = found?.kind === 'cache-breaks' ? found.dollars : Number.NaN;
    expect(dollars).toBeCloseTo((75_000 * 1.9 * 3) / 1e6, 6);
  });

  it('name a file that was read as a whole three times, and no page of it', async () => {
    const whole = [1, 2, 3].map((step) => read('/w/big.ts', step, 5000 * step, 5000 * (step - 1)));
    await take('again', whole);
    const [found, ...others] = await hintsOf('again');
    expect(others).toEqual([]);
    expect(found).toMatchObject({ kind: 'repeated-reads', times: 3, unchanged: 2 });
    expect(found?.tokens).toBeGreaterThan(2000);
    const pages = whole.map((step, page) => ({
      ...step,
      input: { file_path: '/w/big.ts', offset: page * 100 + 1, limit: 100 },
    }));
    await take('pages', pages);
    expect(await hintsOf('pages')).toEqual([]);
  });
});

/** Counts the turns of the loop, and notes in which one the server answers a path. */
function turnsOfAnswers(): ReadonlyMap<string, number> {
  const turns = new Map<string, number>();
  let turn = 0;
  let counting = setImmediate(function count() {
    turn += 1;
    counting = setImmediate(count);
  });
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called on each answer
  const { writeHead } = ServerResponse.prototype;
  const heads = vi.spyOn(ServerResponse.prototype, 'writeHead');
  heads.mockImplementation(function (this: ServerResponse, ...given: unknown[]) {
    turns.set(this.req.url?.replace(/\?.*/, '') ?? '', turn);
    return Reflect.apply(writeHead, this, given) as ServerResponse;
  });
  onTestFinished(() => {
    clearImmediate(counting);
    heads.mockRestore();
  });
  return turns;
}

it('hints are found once the view that is asked for with them was answered', async () => {
  await take('together', [read('/w/a.ts', 10, 20_000, 0), read('/w/b.ts', 20, 30_000, 20_000)]);
  const store = await server.stores.store('default');
  const readLog = store.events.read.bind(store.events);
  const states = vi.spyOn(store.events, 'tally');
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reads = vi.spyOn(store.events, 'read').mockImplementation(async function* (...given) {
    await gate;
    yield* readLog(...given);
  });
  onTestFinished(() => {
    for (const spy of [states, reads]) spy.mockRestore();
  });
  const turns = turnsOfAnswers();
  const answers: Promise<unknown>[] = [];
  for (const what of ['hints', 'view'] as const) {
    const asked = states.mock.calls.length;
    const params = { path: { session: 'together' }, query: { mode: 'recorded' as const } };
    answers.push(client.GET(`/v1/sessions/{session}/${what}`, { params }));
    await vi.waitUntil(() => states.mock.calls.length > asked, { timeout: 60_000 });
  }
  open();
  await Promise.all(answers);
  const [hints = 0, view = 0] = ['hints', 'view'].map((what) =>
    turns.get(`/v1/sessions/together/${what}`),
  );
  expect(hints).toBeGreaterThan(view);
});

describe('heat', () => {
  it('sums calls by file and by tool: what requests carried, reads, duplicates and since when', async () => {
    const steps = [
      read('/w/a.ts', 1, 5000, 0),
      read('/w/b.ts', 2, 10_000, 5000),
      read('/w/a.ts', 3, 15_000, 10_000),
      { ...read('', 4, 20_000, 15_000), name: 'Bash', input: { command: 'npm test' } },
    ];
    await take('warm', steps);
    const params = { path: { session: 'warm' }, query: { mode: 'recorded' as const } };
    const { data } = await client.GET('/v1/sessions/{session}/heat', { params });
    const { tools = [], files = [], requests } = data ?? {};
    expect(requests).toBe(4);
    expect(tools.map(({ name, calls }) => [name, calls])).toEqual([
      ['Read', 3],
      ['Bash', 1],
    ]);
    const [a, b] = files;
    expect([a?.name, b?.name]).toEqual(['/w/a.ts', '/w/b.ts']);
    expect(a).toMatchObject({ calls: 2, reads: 2, duplicates: 1, first: 2 });
    expect(b).toMatchObject({ calls: 1, reads: 1, duplicates: 1, first: 3 });
    // The first read of a.ts is in requests 2, 3 and 4, the second in the last, that of b.ts in two.
    expect(a?.carriedTokens).toBe(((a?.tokens ?? 0) / 2) * 4);
    expect(b?.carriedTokens).toBe((b?.tokens ?? 0) * 2);
    const views = await Promise.all(
      [1, 2, 3, 4].map(async (at) => {
        const query = { at, mode: 'recorded' as const, limit: 200, characters: 0 };
        const path = { session: 'warm' };
        return (await client.GET('/v1/sessions/{session}/view', { params: { path, query } })).data;
      }),
    );
    const ofKind = (kind: string): number =>
      views
        .flatMap((view) => view?.kinds ?? [])
        .filter((one) => one.kind === kind)
        .reduce((sum, { tokensAfter }) => sum + tokensAfter, 0);
    const carried = tools.reduce((sum, { carriedTokens }) => sum + carriedTokens, 0);
    expect(carried).toBe(ofKind('call') + ofKind('result'));
  });
});

describe('cost', () => {
  it('is what the provider reported at the prices of the model, input and output apart', async () => {
    await take('priced', [read('/w/a.ts', 1, 10_000, 0), read('/w/b.ts', 2, 20_000, 10_000)]);
    const params = { path: { session: 'priced' }, query: { mode: 'recorded' as const } };
    const { data } = await client.GET('/v1/sessions/{session}/cost', { params });
    expect(data?.models).toHaveLength(1);
    const [found] = data?.models ?? [];
    expect(found).toMatchObject({
      ...{ model: 'claude-sonnet-4-5', price: 'anthropic-5m', isOfModel: true, requests: 2 },
      ...{ dollarsPerMillion: 3, outputDollarsPerMillion: 15 },
      ...{ inputTokens: 30_000, cachedTokens: 10_000, outputTokens: 40 },
      ...{ reportedInputs: 2, reportedOutputs: 2 },
    });
    // 20,000 written at 1.25, 10,000 read at 0.1; output at five times the input.
    expect(found?.inputDollars).toBeCloseTo(((20_000 * 1.25 + 10_000 * 0.1) * 3) / 1e6, 9);
    expect(found?.outputDollars).toBeCloseTo((40 * 5 * 3) / 1e6, 9);
    expect(data?.carriedTokens).toBe(data?.everythingTokens);
  });

  it('counts outputs that nobody reported, and says what requests did not carry', async () => {
    const messages: Record<string, unknown>[] = [{ role: 'user', content: 'look around' }];
    const body = { messages, format: 'openai-chat' as const, windowTokens: 16_000 };
    const params = { path: { session: 'kept' } };
    for (let call = 0; call < 16; call += 1) {
      const id = `call_${String(call)}`;
      const tool = { id, type: 'function', function: { name: 'bash', arguments: '{"n":1}' } };
      messages.push({ role: 'assistant', content: null, tool_calls: [tool] });
      messages.push({ role: 'tool', tool_call_id: id, content: `${id} ${lines}` });
      await client.POST('/v1/sessions/{session}/prepare', { params, body });
    }
    const { data } = await client.GET('/v1/sessions/{session}/cost', { params });
    const timeline = await client.GET('/v1/sessions/{session}/requests', { params });
    const [found] = data?.models ?? [];
    expect([found?.model, found?.requests]).toEqual([undefined, 16]);
    expect([found?.reportedInputs, found?.reportedOutputs]).toEqual([0, 0]);
    const sent = timeline.data?.requests.reduce((sum, { tokens }) => sum + tokens, 0);
    expect(found?.inputTokens).toBe(sent);
    const view = await client.GET('/v1/sessions/{session}/view', { params });
    const calls = view.data?.kinds.find(({ kind }) => kind === 'call');
    // The first call came before the first request: it answers none of them.
    expect(found?.outputTokens).toBeCloseTo(((calls?.tokensBefore ?? 0) / 16) * 15, 0);
    expect(data?.carriedTokens).toBeLessThan(data?.everythingTokens ?? 0);
    expect(data?.savedDollars).toBeTypeOf('number');
  });

  it('is read of all sessions, page by page, as their agents sent them', async () => {
    await take('other', [read('/w/c.ts', 1, 5000, 0)]);
    const seen = new Map<string, number | undefined>();
    let cursor: string | undefined;
    do {
      const query = { limit: 2, ...(cursor === undefined ? {} : { cursor }) };
      const { data } = await client.GET('/v1/costs', { params: { query } });
      for (const { session, cost } of data?.costs ?? []) {
        seen.set(
          session.id,
          cost?.models.reduce((sum, one) => sum + one.inputDollars + one.outputDollars, 0),
        );
      }
      cursor = data?.next;
    } while (cursor !== undefined);
    const { data: list } = await client.GET('/v1/sessions', { params: { query: { limit: 200 } } });
    expect([...seen.keys()]).toEqual(list?.sessions.map(({ id }) => id));
    for (const session of ['priced', 'other', 'kept']) {
      const params = { path: { session }, query: { mode: 'recorded' as const } };
      const { data } = await client.GET('/v1/sessions/{session}/cost', { params });
      const dollars = data?.models.reduce(
        (sum, one) => sum + one.inputDollars + one.outputDollars,
        0,
      );
      expect(seen.get(session)).toBe(dollars);
      // What an imported agent sent itself, ctx did not make smaller.
      expect([session, data !== undefined && 'savedDollars' in data]).toEqual([
        session,
        session === 'kept',
      ]);
      expect(dollars).toBeGreaterThan(0);
    }
  });
});

/** A session of Claude Code whose rule its compaction kept in this summary, or not. */
function compacted(id: string, rule: string, summary: string): string {
  const at = (second: number): object => ({
    ...{ sessionId: id, uuid: `${id}-${String(second)}` },
    timestamp: new Date(begin + second * 1000).toISOString(),
  });
  const says = (role: string, content: string) => ({ type: role, message: { role, content } });
  const records = [
    { ...at(1), parentUuid: null, ...says('user', `Look around. ${rule}`) },
    { ...at(2), parentUuid: `${id}-1`, ...says('assistant', 'I looked.') },
    { ...at(3), parentUuid: null, type: 'system', subtype: 'compact_boundary' },
    { ...at(4), parentUuid: `${id}-3`, isCompactSummary: true, ...says('user', summary) },
    { ...at(5), parentUuid: `${id}-4`, ...says('assistant', 'I go on.') },
  ];
  return records.map((record) => JSON.stringify(record)).join('\n');
}

it('a compaction that lost a text which the agent of the command has pinned is a hint, one that kept it is none', async () => {
  const rule = 'Never touch the file of secrets in the home folder.';
  const item = { kind: 'RULE', content: rule, pinned: true };
  const params = { path: { agent: 'default' } };
  await client.POST('/v1/agents/{agent}/items', { params, body: item });
  for (const [id, summary] of [
    ['rule-lost', 'They looked around.'],
    ['rule-kept', `They looked around. ${rule}`],
  ] as const) {
    const body = { name: `${id}.jsonl`, content: compacted(id, rule, summary), session: id };
    expect((await client.POST('/v1/import', { body })).response.status).toBe(200);
  }
  expect(await hintsOf('rule-lost')).toMatchObject([{ kind: 'lost-pinned', segment: 0 }]);
  expect(await hintsOf('rule-kept')).toEqual([]);
});
