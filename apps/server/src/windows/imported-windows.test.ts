import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, type RunningServer, startServer } from '../test-support/start-server.ts';

const rows = (id: string): string =>
  Array.from({ length: 400 }, (_, row) => `row of ${id}: ${String(row)}`).join('\n');

function transcript(calls: number): string {
  const messages: unknown[] = [{ role: 'user', content: 'find the rows' }];
  for (let call = 0; call < calls; call += 1) {
    const id = `c${String(call)}`;
    const use = { type: 'tool_use', id, name: 'Bash', input: { command: `list ${id}` } };
    messages.push({ role: 'assistant', content: [use] });
    const result = { type: 'tool_result', tool_use_id: id, content: rows(id) };
    messages.push({ role: 'user', content: [result] });
  }
  messages.push({ role: 'assistant', content: [{ type: 'text', text: 'found them' }] });
  return JSON.stringify({ id: 'imported', messages });
}

let server: RunningServer;
let key: string;

beforeAll(async () => {
  server = await startServer();
  key = await server.key('write');
  await server.call('/v1/import', { key, body: { name: 'a.json', content: transcript(6) } });
});
afterAll(() => server.stop());

const ask = async (path: string): Promise<unknown> =>
  (await server.call(`/v1/sessions/imported${path}`, { key })).json;

describe('a session that was imported', () => {
  it('has the requests that ctx would have sent, and says that no agent sent them', async () => {
    const answer = await ask('/requests');
    expect(answer).toMatchObject({ total: 7, imported: { messagesAside: 0 } });
    const tokens = at(answer, 'requests') as { tokens: number }[];
    expect(tokens.every((request) => request.tokens > 0)).toBe(true);
  });

  it('has a view of each request, with every text and its address', async () => {
    const answer = await ask('/view?at=7&characters=100000');
    expect(answer).toMatchObject({ number: 7, requests: 7, imported: { messagesAside: 0 } });
    const segments = at(answer, 'segments') as Record<string, unknown>[];
    expect(segments).toHaveLength(13);
    const results = segments.filter(({ kind }) => kind === 'result');
    for (const [place, { shown, original, pointer }] of results.entries()) {
      expect([shown, original]).toContain(rows(`c${String(place)}`));
      const id = String(pointer).replace('ctx://outputs/', '');
      const { status, text } = await server.call(`/v1/outputs/${id}`, { key });
      expect(status).toBe(200);
      expect(text).toContain(`c${String(place)}`);
    }
  });

  it('says what its own agent showed the model last', async () => {
    const use = at(await ask('/use'), 'use');
    expect(use).toMatchObject({ source: 'transcript', isAssumed: true, windowTokens: 200_000 });
    const parts = at(use, 'parts') as { part: string; tokens: number }[];
    expect(parts.map(({ part }) => part)).toEqual(['user', 'assistant', 'calls', 'results']);
    expect(parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(at(use, 'tokens'));
  });

  it('answers why and context of the same window', async () => {
    const why = at(await ask('/why'), 'segments') as unknown[];
    expect(why.length).toBeGreaterThan(12);
    const forms = at(await ask('/context'), 'forms') as { segments: number }[];
    expect(forms.reduce((sum, { segments }) => sum + segments, 0)).toBe(why.length);
  });

  it('is read only: looking at it writes nothing', async () => {
    const before = await server.call('/v1/stats', { key });
    await ask('/view');
    expect((await server.call('/v1/stats', { key })).json).toEqual(before.json);
  });

  it('has more requests once more of it was imported', async () => {
    const body = { name: 'a.json', content: transcript(8) };
    await server.call('/v1/import', { key, body });
    expect(at(await ask('/requests'), 'total')).toBe(9);
  });
});

const usageOf = (input: number): Record<string, number> => ({
  input_tokens: 10,
  cache_read_input_tokens: input - 10,
  cache_creation_input_tokens: 0,
  output_tokens: 7,
});

const says = (id: string, parentUuid: string | null, more: object): object => ({
  ...{
    sessionId: 'cc',
    uuid: id,
    parentUuid,
    timestamp: `2026-01-01T00:00:0${id.slice(1)}.000Z`,
  },
  ...more,
});
const user = (content: string): object => ({ type: 'user', message: { role: 'user', content } });
const answer = (text: string, usage?: object): object => ({
  type: 'assistant',
  message: {
    ...{ role: 'assistant', model: 'claude-opus-4-5', content: [{ type: 'text', text }] },
    ...(usage === undefined ? {} : { id: text, usage }),
  },
});

/** A session of Claude Code that was compacted after its second request; of the last, no usage was written. */
function compactedSession(): string {
  const boundary = {
    type: 'system',
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
  };
  const records = [
    says('m1', null, user('port the parser')),
    says('m2', 'm1', answer('ported', usageOf(5000))),
    says('m3', 'm2', user('and the printer')),
    says('m4', 'm3', answer('printed', usageOf(6000))),
    says('m5', null, {
      ...boundary,
      logicalParentUuid: 'm4',
      compactMetadata: { trigger: 'auto' },
    }),
    says('m6', 'm5', { ...user('they ported both'), isCompactSummary: true }),
    says('m7', 'm6', answer('good')),
  ];
  return records.map((record) => JSON.stringify(record)).join('\n');
}

describe('an imported session in the modes of the page', () => {
  beforeAll(async () => {
    await server.call('/v1/import', {
      key,
      body: { name: 'cc.jsonl', content: compactedSession(), format: 'claude-code' },
    });
  });
  const askOf = async (path: string): Promise<unknown> =>
    (await server.call(`/v1/sessions/cc${path}`, { key })).json;

  it('has the requests of its own agent as recorded, reported where the transcript says it', async () => {
    const requests = at(await askOf('/requests?mode=recorded'), 'requests') as object[];
    expect(requests).toMatchObject([
      { tokens: 5000, reported: { inputTokens: 5000, cachedTokens: 4990 }, outputTokens: 7 },
      { tokens: 6000, model: 'claude-opus-4-5' },
      { number: 3, compaction: { beforeTokens: 6000 } },
    ]);
    expect(requests[2]).not.toHaveProperty('reported');
    const { tokens } = requests[2] as { tokens: number };
    expect(tokens).toBeGreaterThan(0);
    expect(tokens).toBeLessThan(100);
  });

  it('shows what its compaction took out of the request, whole', async () => {
    const before = at(await askOf('/view?mode=recorded&at=2'), 'segments') as object[];
    expect(before).toMatchObject([{ form: 'whole' }, { form: 'whole' }, { form: 'whole' }]);
    const after = await askOf('/view?mode=recorded&at=3');
    expect(at(after, 'segments')).toMatchObject([
      { form: 'cut', cause: 'compaction', original: 'port the parser', tokensAfter: 0 },
      { form: 'cut' },
      { form: 'cut' },
      { form: 'cut' },
      { form: 'whole', shown: 'they ported both' },
    ]);
    expect(await askOf('/view/0?mode=recorded&at=3')).toMatchObject({
      original: 'port the parser',
    });
  });

  it('has as recorded the context and the reasons of what its agent showed last, as large as `ctx status` says', async () => {
    const context = await askOf('/context?mode=recorded');
    const { tokens } = at(await askOf('/use'), 'use') as { tokens: number };
    expect(context).toMatchObject({ tokens, forms: [{ form: 'whole' }, { form: 'cut' }] });
    const said = (role: string, text: string) => ({ role, content: [{ type: 'text', text }] });
    expect(at(context, 'messages')).toMatchObject([
      said('user', 'they ported both'),
      said('assistant', 'good'),
    ]);
    const { segments } = (await askOf('/why?mode=recorded')) as { segments: { form: string }[] };
    const forms = ['cut', 'cut', 'cut', 'cut', 'whole', 'whole'];
    expect(segments.map(({ form }) => form)).toEqual(forms);
  });

  it('is played in the mode that is asked for, and keeps each', async () => {
    const tokensIn = async (mode: string): Promise<number> => {
      const requests = at(await ask(`/requests?mode=${mode}`), 'requests') as { tokens: number }[];
      return requests.reduce((sum, { tokens }) => sum + tokens, 0);
    };
    const [usual, thrifty] = [await tokensIn('default'), await tokensIn('thrifty')];
    expect(thrifty).toBeLessThan(usual);
    expect(await tokensIn('default')).toBe(usual);
    expect((await server.call('/v1/sessions/imported/view?mode=none', { key })).status).toBe(422);
  });
});

it.each(['default', 'recorded'])(
  'a result that never came has no address in the store: %s',
  async (mode) => {
    const call = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command: id } });
    const result = { type: 'tool_result', tool_use_id: 'c1', content: rows('c1') };
    const messages = [
      { role: 'user', content: 'find the rows' },
      { role: 'assistant', content: [call('c1'), call('c2')] },
      { role: 'user', content: [result] },
      { role: 'assistant', content: [{ type: 'text', text: 'found some' }] },
    ];
    const content = JSON.stringify({ id: 'broken-off', messages });
    await server.call('/v1/import', { key, body: { name: 'b.json', content } });
    const { json } = await server.call(`/v1/sessions/broken-off/why?mode=${mode}`, { key });
    const pointers = (at(json, 'segments') as { pointer: string }[]).map(({ pointer }) => pointer);
    const [kept, ...others] = pointers.filter((pointer) => pointer.startsWith('ctx://outputs/'));
    expect(kept).toContain('Bash');
    expect(others).toEqual([]);
  },
);

it('a session has one size where its provider counted more than its transcript holds, and a window that held it', async () => {
  const records = [
    says('m1', null, user('port the parser')),
    says('m2', 'm1', answer('ported', usageOf(427_091))),
    says('m3', 'm2', user('and the printer')),
  ];
  const content = records.map((record) => JSON.stringify(record)).join('\n');
  const body = { name: 'long.jsonl', content, format: 'claude-code', session: 'long' };
  await server.call('/v1/import', { key, body });
  const get = async (path: string): Promise<unknown> =>
    (await server.call(`/v1/sessions/long${path}`, { key })).json;
  const use = at(await get('/use'), 'use');
  expect(use).toMatchObject({ source: 'transcript', windowTokens: 1_000_000 });
  const tokens = Number(at(use, 'tokens'));
  expect(tokens).toBeGreaterThan(427_091);
  expect(await get('/view?mode=recorded')).toMatchObject({ tokens, windowTokens: 1_000_000 });
});

it('a system prompt of several messages is as large in its parts as `ctx status` says', async () => {
  const said = (role: string, content: string) => ({ role, content });
  const messages = [
    said('system', 'You mend builds.'),
    said('system', 'Be brief.'),
    said('user', 'go on'),
    said('assistant', 'done'),
  ];
  const body = { name: 'prompts.json', content: JSON.stringify({ id: 'prompts', messages }) };
  await server.call('/v1/import', { key, body });
  const get = async (path: string): Promise<unknown> =>
    (await server.call(`/v1/sessions/prompts${path}`, { key })).json;
  const parts = at(at(await get('/use'), 'use'), 'parts') as { part: string; tokens: number }[];
  const system = parts.find(({ part }) => part === 'system')?.tokens;
  expect(system).toBeGreaterThan(8);
  expect(at(await get('/view?mode=recorded'), 'fixed')).toMatchObject({ system });
});
