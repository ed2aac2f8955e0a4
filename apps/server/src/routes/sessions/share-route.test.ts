import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CtxClient, createClient } from '../../client/create-client.ts';
import { type RunningServer, startServer } from '../../test-support/start-server.ts';

let server: RunningServer;
let client: CtxClient;

const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

const talk = {
  id: 'told',
  messages: [
    { role: 'user', content: `find the lost key, with ${secret}` },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'c1', name: 'Look', input: { place: 'under the mat' } }],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'c1', content: '<script>alert(1)</script>' }],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'Found.' }] },
  ],
};

beforeAll(async () => {
  server = await startServer();
  client = createClient({ url: server.url, key: await server.key('write') });
  await client.POST('/v1/import', { body: { name: 'told.json', content: JSON.stringify(talk) } });
  // An import redacts messages, but nothing redacts a title before it is shared.
  const key = await server.key('write');
  const { headers } = await server.call('/v1/sessions/told', { key });
  const changed = await server.call('/v1/sessions/told', {
    ...{ method: 'PATCH', key, body: { title: `Titled ${secret}` } },
    headers: { 'if-match': headers.get('etag') ?? '' },
  });
  expect([changed.status, changed.text.includes(secret)]).toEqual([200, true]);
});
afterAll(() => server.stop());

async function shared(query = {}, session = 'told') {
  const params = { path: { session }, query };
  const { data, response } = await client.GET('/v1/sessions/{session}/share', {
    ...{ params, parseAs: 'text' },
  });
  return { page: data ?? '', response };
}

describe('a session to pass on', () => {
  it('is an HTML file with the conversation, and no secret', async () => {
    const { page, response } = await shared();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="ctx-told.html"',
    );
    expect(page).toMatch(/^<!doctype html>/);
    for (const text of ['find the lost key', 'under the mat', 'Found.', '2 requests']) {
      expect(page).toContain(text);
    }
    expect(page).not.toContain(secret);
    expect(page).toContain('<h1>Titled [redacted: github-token #1]</h1>');
    expect(page).not.toContain('<script');
  });

  it('is one request where one is named: what came later is not in it', async () => {
    const { page, response } = await shared({ at: 1, mode: 'recorded' });
    expect(response.headers.get('content-disposition')).toContain('ctx-told-request-1.html');
    expect(page).toContain('find the lost key');
    expect(page).not.toContain('Found.');
    expect(page).toContain('. Request 1, ');
  });

  it('says of a session that ctx shaped that ctx sent it, whatever mode is asked for', async () => {
    const params = { path: { session: 'shaped' } };
    const messages = [{ role: 'user', content: 'begin' }];
    const body = { messages, format: 'openai-chat' } as const;
    await client.POST('/v1/sessions/{session}/prepare', { params, body });
    for (const query of [{}, { mode: 'recorded' }]) {
      expect((await shared(query, 'shaped')).page).toContain('tokens, as ctx sent it. Made by');
    }
    expect((await shared({ mode: 'recorded' })).page).toContain('as its own agent sent it');
  });

  it('is 404 for a session and a request that there is not', async () => {
    expect((await shared({}, 'nobody')).response.status).toBe(404);
    expect((await shared({ at: 99 })).response.status).toBe(404);
  });
});
