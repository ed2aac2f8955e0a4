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
