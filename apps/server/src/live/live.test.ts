import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LiveClient, type LiveOptions, openLive } from '../test-support/live-client.ts';
import { at, type RunningServer, startServer } from '../test-support/start-server.ts';

let server: RunningServer;
let key: string;

beforeEach(async () => {
  server = await startServer();
  key = await server.key('write');
});
afterEach(() => server.stop());

const open = (hello: unknown, options: Partial<LiveOptions> = {}): LiveClient =>
  openLive(hello, { port: server.port, ...options });

async function save(content: string, agent = 'a'): Promise<void> {
  const store = await server.stores.store('default');
  await store.items.save({ agentId: agent, kind: 'TASK', content });
}

describe('a WebSocket', () => {
  it('gets each event once and in order, from where it begins', async () => {
    await save('before');
    const client = open({ key });
    await client.until(() => client.messages.length === 1);
    expect(client.messages[0]).toEqual({ kind: 'ready', sequence: 1 });
    await save('one');
    await save('two');
    await client.until(() => client.sequences().length === 2);
    expect(client.sequences()).toEqual([2, 3]);
    expect(at(client.messages[1], 'event')).toMatchObject({ type: 'item-saved', agentId: 'a' });
    const again = open({ key, since: 0 });
    await again.until(() => again.sequences().length === 3);
    expect(again.sequences()).toEqual([1, 2, 3]);
    client.socket.close();
    again.socket.close();
  });

  it('gets nothing before its key, and none of another tenant', async () => {
    const theirs = open({ key: await server.key('read', 'theirs'), since: 0 });
    const silent = open(undefined);
    await once(silent.socket, 'open');
    await theirs.until(() => theirs.messages.length === 1);
    await save('mine');
    const store = await server.stores.store('theirs');
    await store.items.save({ agentId: 'b', kind: 'TASK', content: 'theirs' });
    await theirs.until(() => theirs.sequences().length === 1);
    expect(at(theirs.messages.at(-1), 'event.agentId')).toBe('b');
    expect(silent.messages).toEqual([]);
    theirs.socket.close();
    silent.socket.terminate();
  });

  it('is ended without a good key, for a first message that is not understood, and for one that is late', async () => {
    const none = open({});
    const bad = open({ key: 'ctx_bad' });
    const odd = open({ key, unknown: 1 });
    const list = open([]);
    expect((await none.ended).code).toBe(4401);
    expect((await bad.ended).code).toBe(4401);
    expect((await odd.ended).code).toBe(4400);
    expect((await list.ended).code).toBe(4400);
    const quick = await startServer({ limits: { liveTokenMs: 50 } });
    const late = open(undefined, { port: quick.port });
    expect((await late.ended).code).toBe(4408);
    await quick.stop();
  });

  it('is refused to pages of other origins (S11)', async () => {
    const evil = open({ key }, { origin: 'http://evil.example' });
    expect((await evil.ended).code).toBe(1006);
    expect(evil.messages).toEqual([]);
    const own = open({ key }, { origin: server.url });
    await own.until(() => own.messages.length === 1);
    own.socket.close();
  });

  it('gets only what it asks for', async () => {
    const client = open({ key, agent: 'b', types: ['item-saved'] });
    await client.until(() => client.messages.length === 1);
    await save('one', 'a');
    await save('two', 'b');
    const store = await server.stores.store('default');
    const { entries } = await store.items.list('b');
    await store.items.touch('b', entries[0]?.id ?? '');
    await save('three', 'b');
    await client.until(() => client.sequences().length === 2);
    expect(client.sequences()).toEqual([2, 4]);
    client.socket.close();
  });

  it('gets only what its address asks for, and of both what its first message says', async () => {
    const store = await server.stores.store('default');
    await save('one', 'bob');
    await save('two', 'ada');
    await store.items.touch('bob', (await store.items.list('bob')).entries[0]?.id ?? '');
    await save('three', 'bob');
    const got = async (query: string, hello: object, count: number): Promise<number[]> => {
      const client = open({ key, ...hello }, { query });
      await client.until(() => client.sequences().length === count);
      client.socket.close();
      return client.sequences();
    };
    expect(await got('?agent=bob&since=0', {}, 3)).toEqual([1, 3, 4]);
    expect(await got('?agent=bob&since=0&type=item-touched', {}, 1)).toEqual([3]);
    expect(await got('?agent=bob&since=0', { agent: 'ada' }, 1)).toEqual([2]);
    expect(await got('?agent=bob', { since: 1, type: 'item-saved' }, 1)).toEqual([4]);
    const types = ['item-touched', 'item-saved'];
    expect(await got('?since=2&types=item-touched', { types }, 2)).toEqual([3, 4]);
  });

  it('ends at once when its key is revoked, here or by another process', async () => {
    const admin = await server.key('admin');
    const made = await server.call('/v1/keys', { key: admin, body: { scope: 'read' } });
    const other = await server.call('/v1/keys', { key: admin, body: { scope: 'read' } });
    const client = open({ key: at(made.json, 'text') });
    const elsewhere = open({ key: at(other.json, 'text') });
    await client.until(() => client.messages.length === 1);
    await elsewhere.until(() => elsewhere.messages.length === 1);
    const id = String(at(made.json, 'key.id'));
    await server.call(`/v1/keys/${id}`, { key: admin, method: 'DELETE' });
    expect((await client.ended).code).toBe(4403);
    // Not through the server: as another process would.
    await server.stores.keys.revoke(String(at(other.json, 'key.id')));
    expect((await elsewhere.ended).code).toBe(4403);
  });

  it('is told where events are kept no more, and goes on from there', async () => {
    const short = await startServer({ keepLiveEvents: 10 });
    const store = await short.stores.store('default');
    for (let count = 0; count < 300; count += 1) {
      await store.items.save({ agentId: 'a', kind: 'TASK', content: String(count) });
    }
    const client = open({ key: await short.key('read'), since: 1 }, { port: short.port });
    await client.until(() => client.messages.length === 1);
    expect(client.messages[0]).toEqual({ kind: 'reset', sequence: 300 });
    await store.items.save({ agentId: 'a', kind: 'TASK', content: 'more' });
    await client.until(() => client.sequences().length === 1);
    expect(client.sequences()).toEqual([301]);
    client.socket.close();
    await short.stop();
  });
});

describe('server-sent events', () => {
  async function readStream(
    headers: Record<string, string>,
    wanted: number,
    query = '',
  ): Promise<string> {
    const gone = new AbortController();
    const response = await fetch(`${server.url}/v1/live${query}`, {
      headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', ...headers },
      signal: gone.signal,
    });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    let text = '';
    const decoder = new TextDecoder();
    const chunks: AsyncIterable<unknown> | null = response.body;
    for await (const chunk of chunks ?? []) {
      if (chunk instanceof Uint8Array) text += decoder.decode(chunk, { stream: true });
      if (text.split('\n\n').length > wanted) break;
    }
    gone.abort();
    return text;
  }

  it('come from where the reader left off', async () => {
    await save('one');
    await save('two');
    const text = await readStream({ 'last-event-id': '1' }, 2);
    expect(text).toContain('id: 1\nevent: ready\n');
    expect(text).toContain('id: 2\nevent: event\ndata: {"sequence":2,"type":"item-saved"');
  });

  it.each([
    { query: '?since=0&type=item-touched&type=item-saved', got: ['item-saved', 'item-touched'] },
    { query: '?since=0&types=item-touched&types=item-saved', got: ['item-saved', 'item-touched'] },
    { query: '?since=0&agent=a&types=item-touched', got: ['item-touched'] },
    { query: '?since=0&agent=a&type=item-touched', got: ['item-touched'] },
  ])('are chosen by one type or several, as in $query', async ({ query, got }) => {
    const store = await server.stores.store('default');
    await save('one');
    await store.items.touch('a', (await store.items.list('a')).entries[0]?.id ?? '');
    const text = await readStream({}, 1 + got.length, query);
    expect([...text.matchAll(/"type":"([a-z-]+)"/g)].map(([, type]) => type)).toEqual(got);
  });

  it.each(['2', '999999999999999', '9'.repeat(40)])(
    'begin with a reset behind a place that nobody knows: %s',
    async (place) => {
      await save('one');
      expect(await readStream({ 'last-event-id': place }, 1)).toContain('id: 1\nevent: reset\n');
    },
  );

  it.each(['abc', '-1', '1.5', '1, 1', '0x1'])(
    'are refused where Last-Event-ID is no place: %s',
    async (place) => {
      const headers = { accept: 'text/event-stream', 'last-event-id': place };
      const answer = await server.call('/v1/live', { key, headers });
      expect([answer.status, at(answer.json, 'status')]).toEqual([422, 422]);
      expect(answer.text).toContain('Last-Event-ID');
    },
  );

  it('want a key in the header', async () => {
    const headers = { accept: 'text/event-stream' };
    expect((await server.call('/v1/live', { headers })).status).toBe(401);
    const other = await server.call('/v1/live', { key, headers: { accept: 'text/html' } });
    expect(other.status).toBe(406);
  });
});
