import { CtxError } from '@ctx/core';
import { createMemoryPlace, memoryBackend } from '@ctx/store/backend';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { at, type RunningServer, startServer } from '../../test-support/start-server.ts';

let server: RunningServer;
let key: string;

beforeAll(async () => {
  server = await startServer();
  key = await server.key('write');
});
afterAll(() => server.stop());

const call = (path: string, options: Parameters<RunningServer['call']>[1] = {}) =>
  server.call(path, { key, ...options });

it('a request that failed may be sent again under its name', async () => {
  const headers = { 'idempotency-key': 'again' };
  const path = '/v1/agents/named/checkpoints';
  const body = { sessionId: 'later' };
  expect((await call(path, { body, headers })).status).toBe(404);
  const messages = [{ role: 'user', content: 'hello' }];
  await call('/v1/sessions/later/messages', { body: { messages } });
  const done = await call(path, { body, headers });
  expect([done.status, done.headers.get('idempotency-replayed')]).toEqual([200, null]);
  const repeated = await call(path, { body, headers });
  expect(repeated.headers.get('idempotency-replayed')).toBe('true');
  expect(repeated.json).toEqual(done.json);
});

it('a name that was used at one address is refused at another', async () => {
  const body = { item_type: 'TASK', content: 'once' };
  const headers = { 'idempotency-key': 'one address' };
  const named = { body, headers: { 'idempotency-key': 'address' } };
  expect((await call('/api/agents/here/context/save', { body, headers })).status).toBe(422);
  expect((await call('/api/agents/here/context/save', named)).status).toBe(200);
  expect((await call('/api/agents/there/context/save', named)).status).toBe(422);
  const stats = await call('/api/agents/there/context/stats');
  expect(at(stats.json, 'total_items')).toBe(0);
});

it('an answer that is given again has its status, place and tag', async () => {
  const body = { kind: 'TASK', content: 'with a tag' };
  const headers = { 'idempotency-key': 'whole' };
  const [first, again] = [
    await call('/v1/agents/named/items', { body, headers }),
    await call('/v1/agents/named/items', { body, headers }),
  ];
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.status).toBe(201);
  for (const name of ['etag', 'location', 'content-type']) {
    expect(again.headers.get(name)).toBe(first.headers.get(name));
  }
  expect(first.headers.get('etag')).not.toBeNull();
});

it('whoever has one of several versions, or any, is told that nothing is new', async () => {
  const saved = await call('/v1/agents/named/items', { body: { kind: 'TASK', content: 'read' } });
  const path = `/v1/agents/named/items/${String(at(saved.json, 'item.id'))}`;
  const tag = (await call(path)).headers.get('etag') ?? '';
  for (const known of ['*', `"other", ${tag}`, `${tag} , "other"`]) {
    const read = await call(path, { headers: { 'if-none-match': known } });
    expect([known, read.status, read.text]).toEqual([known, 304, '']);
  }
  const other = await call(path, { headers: { 'if-none-match': '"other"' } });
  expect(other.status).toBe(200);
  const patch = { method: 'PATCH', body: { pinned: true } };
  const stale = await call(path, { ...patch, headers: { 'if-match': '"other", "more"' } });
  expect(stale.status).toBe(412);
  const changed = await call(path, { ...patch, headers: { 'if-match': `"other", ${tag}` } });
  expect(changed.status).toBe(200);
});

it.each(['before', 'after'])(
  'a request whose server died %s its write is done once by the next server, without waiting',
  async (moment) => {
    const place = createMemoryPlace();
    const backend = memoryBackend({ place });
    const state = { isDying: false };
    const dying = await startServer({
      access: 'none',
      backend: {
        ...backend,
        write: async (...given) => {
          if (!state.isDying || moment === 'after') await backend.write(...given);
          if (state.isDying) throw new CtxError('CTX_STORE_IO', 'the process died');
        },
      },
    });
    const path = '/v1/agents/a/items';
    const named = { body: { kind: 'TASK', content: 'once' }, headers: { 'idempotency-key': 'n' } };
    await dying.stores.store('default');
    state.isDying = true;
    expect((await dying.call(path, named)).status).toBe(500);
    const other = await startServer({ access: 'none', backend: memoryBackend({ place }) });
    const first = await other.call(path, named);
    const again = await other.call(path, named);
    expect([first.status, again.text]).toEqual([201, first.text]);
    expect(first.headers.get('idempotency-replayed')).toBe(moment === 'after' ? 'true' : null);
    expect((await other.call(path)).json).toMatchObject({ items: [{ content: 'once' }] });
    await other.stop();
    await dying.stop();
  },
);

it('a request that fails leaves nothing of its work behind', async () => {
  const path = '/v1/sessions/fresh/prepare';
  const huge = [{ role: 'user', content: 'word '.repeat(4000) }];
  const body = { messages: huge, windowTokens: 1000 };
  const refused = await call(path, { body, headers: { 'idempotency-key': 'too large' } });
  expect(refused.status).toBe(422);
  expect((await call('/v1/sessions/fresh')).status).toBe(404);
});
