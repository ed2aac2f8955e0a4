import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, type RunningServer, startServer } from '../test-support/start-server.ts';

let server: RunningServer;
let key: string;

beforeAll(async () => {
  server = await startServer();
  key = await server.key('write');
});
afterAll(() => server.stop());

const call = (path: string, options: Parameters<RunningServer['call']>[1] = {}) =>
  server.call(path, { key, ...options });

describe("the seed's routes", () => {
  it('save an item, give it back by tier, and count', async () => {
    const body = { item_type: 'TASK', content: 'Port the parser' };
    const saved = await call('/api/agents/seed/context/save', { body });
    expect(saved.status).toBe(200);
    expect(saved.json).toMatchObject({ tier: 'HOT' });
    expect(at(saved.json, 'item_id')).toMatch(/^[\w-]{8,}$/);
    const listed = await call('/api/agents/seed/context?tier=HOT');
    expect(at(listed.json, 'items.0')).toMatchObject({
      id: at(saved.json, 'item_id'),
      type: 'TASK',
      content: 'Port the parser',
      tier: 'HOT',
    });
    const stats = await call('/api/agents/seed/context/stats');
    expect(stats.json).toMatchObject({
      total_items: 1,
      hot_count: 1,
      warm_count: 0,
      cold_count: 0,
    });
  });

  it('list as HOT what they saved as HOT, CODE and a score of 0.8 among it', async () => {
    const saved: string[] = [];
    for (const more of [{ item_type: 'CODE' }, { item_type: 'ERROR', importance_score: 0.8 }]) {
      const body = { content: 'x', ...more };
      const answer = await call('/api/agents/border/context/save', { body });
      expect(answer.json).toMatchObject({ tier: 'HOT' });
      saved.push(String(at(answer.json, 'item_id')));
    }
    const listed = await call('/api/agents/border/context?tier=HOT');
    expect(listed.json).toMatchObject({ items: [{}, {}] });
    const stats = await call('/api/agents/border/context/stats');
    expect(stats.json).toMatchObject({ hot_count: saved.length, warm_count: 0 });
  });

  it("take ids of the seed's own form as they are, and no second way to write them", async () => {
    const body = { item_type: 'TASK', content: 'of a user' };
    const saved = await call('/api/agents/user:agent:1/context/save', { body });
    expect(saved.json).toMatchObject({ tier: 'HOT' });
    for (const path of ['user:agent:1', 'user%3Aagent%3A1']) {
      const listed = await call(`/api/agents/${path}/context`);
      expect(at(listed.json, 'items.0.content')).toBe('of a user');
    }
    const other = Buffer.from('user:agent:1').toString('base64url');
    for (const wrong of [`~${other}`, ':agent', 'user:..', 'user%2Fagent', '..%2Fagent'])
      expect([400, 404, 422]).toContain((await call(`/api/agents/${wrong}/context`)).status);
  });

  it('take HOT where no tier is named, page, and take a score', async () => {
    for (const score of [0.9, 0.95, 0.1]) {
      await call('/api/agents/paged/context/save', {
        body: { item_type: 'CODE', content: `c${String(score)}`, importance_score: score },
      });
    }
    const first = await call('/api/agents/paged/context?limit=1');
    expect(at(first.json, 'items.0.content')).toBe('c0.95');
    const cursor = encodeURIComponent(String(at(first.json, 'next')));
    const second = await call(`/api/agents/paged/context?limit=1&cursor=${cursor}`);
    expect(at(second.json, 'items.0.content')).toBe('c0.9');
    expect(at(second.json, 'next')).toBeUndefined();
    const cold = await call('/api/agents/paged/context?tier=COLD');
    expect(at(cold.json, 'items.length')).toBe(1);
  });
});

describe('sessions', () => {
  const document = {
    session_id: 's1',
    system_state: {},
    facts: ['one'],
    recent_history: [],
    long_term_summary: '',
    active_tasks: [],
    tool_stats: { total_calls: 0, by_tool: {}, failures: 0 },
    last_known_environment: {},
    token_usage: { total_input: 0, total_output: 0, by_session: 0 },
  };

  it('begin, are read with a tag, changed from it, and refuse what is stale', async () => {
    const put = { method: 'PUT', body: { document, title: 'First' } };
    expect((await call('/v1/sessions/s1', put)).status).toBe(404);
    const begun = await call('/v1/sessions/s1', { ...put, headers: { 'if-none-match': '*' } });
    expect([begun.status, begun.headers.get('etag')]).toEqual([201, '"1"']);
    const again = await call('/v1/sessions/s1', { ...put, headers: { 'if-none-match': '*' } });
    expect(again.status).toBe(412);
    const known = await call('/v1/sessions/s1', { headers: { 'if-none-match': '"1"' } });
    expect([known.status, known.text]).toEqual([304, '']);
    const patch = { method: 'PATCH', body: { title: null, document: { facts: ['two'] } } };
    expect((await call('/v1/sessions/s1', patch)).status).toBe(428);
    const stale = await call('/v1/sessions/s1', { ...patch, headers: { 'if-match': '"9"' } });
    expect(stale.status).toBe(412);
    const changed = await call('/v1/sessions/s1', { ...patch, headers: { 'if-match': '"1"' } });
    expect(changed.status).toBe(200);
    expect(at(changed.json, 'document.facts')).toEqual(['two']);
    expect(at(changed.json, 'session.title')).toBeUndefined();
    expect(changed.headers.get('etag')).toBe('"2"');
    // Once from what was never read, then from text that is known; neither says anything else than the change did.
    for (const headers of [{}, { 'if-none-match': '"1"' }]) {
      const read = await call('/v1/sessions/s1', { headers });
      expect([read.status, read.json]).toEqual([200, changed.json]);
      expect(read.headers.get('etag')).toBe('"2"');
      expect(read.headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
    const none = await call('/v1/sessions/none', { headers: { 'if-none-match': '"1"' } });
    expect(none.status).toBe(404);
  });

  it('lose no update when many change one at once', async () => {
    const from = await call('/v1/sessions/s1');
    const etag = from.headers.get('etag') ?? '';
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        call('/v1/sessions/s1', {
          method: 'PATCH',
          body: { title: String(index) },
          headers: { 'if-match': etag },
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 412)]);
  });

  it('take messages, facts and tasks', async () => {
    const messages = [{ role: 'user', content: 'hello' }];
    const appended = await call('/v1/sessions/s2/messages', { body: { messages } });
    expect([appended.status, appended.json]).toEqual([201, { entries: 1, version: 1 }]);
    const fact = { text: 'The port is 4777', source: 'user' };
    const added = await call('/v1/sessions/s2/facts', { body: fact });
    expect(added.json).toEqual({ added: true });
    const same = await call('/v1/sessions/s2/facts', { body: { text: 'the port is 4777.' } });
    expect(same.json).toMatchObject({ added: false, sameAs: 'The port is 4777' });
    const facts = await call('/v1/sessions/s2/facts');
    expect(at(facts.json, 'facts.0')).toMatchObject({ ...fact, trust: 'trusted' });
    const task = { method: 'PUT', body: { description: 'Port it', progress: 0.5 } };
    const tasks = await call('/v1/sessions/s2/tasks/t1', task);
    expect(at(tasks.json, 'tasks.0')).toMatchObject({ id: 't1', progress: 0.5, isOver: false });
    expect(at((await call('/v1/sessions/s2/tasks')).json, 'tasks.length')).toBe(1);
    const list = await call('/v1/sessions?limit=1');
    expect(at(list.json, 'sessions.0.id')).toBe('s2');
    expect(at(list.json, 'next')).toEqual(expect.any(String));
  });

  it('are compacted, tell what that did, and take it back', async () => {
    const messages = Array.from({ length: 60 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `message ${String(index)}: ${'words '.repeat(200)}`,
    }));
    await call('/v1/sessions/s3/messages', { body: { messages } });
    const dry = await call('/v1/sessions/s3/compactions', { body: { isDryRun: true } });
    expect(at(dry.json, 'outcome')).toBe('planned');
    const done = await call('/v1/sessions/s3/compactions', { body: {} });
    expect(done.json).toMatchObject({ outcome: 'compacted', entries: 30, keeps: 30 });
    const listed = await call('/v1/sessions/s3/compactions');
    expect(at(listed.json, 'compactions.0')).toMatchObject({ sequence: 0, state: 'applied' });
    const whole = await call('/v1/sessions/s3/compactions/0');
    expect(at(whole.json, 'summarised.length')).toBe(30);
    const undone = await call('/v1/sessions/s3/compactions/0/undo', { method: 'POST' });
    expect(undone.json).toMatchObject({ restored: 30 });
    expect((await call('/v1/sessions/s3/compactions/0/undo', { method: 'POST' })).status).toBe(409);
    const document = await call('/v1/sessions/s3');
    expect(at(document.json, 'document.recent_history.length')).toBe(60);
  });
});

describe('outputs', () => {
  it('list a session that has outputs alone', async () => {
    for (const headers of [{}, { 'idempotency-key': 'named' }]) {
      const sessionId = `outputs-alone-${String(Object.keys(headers).length)}`;
      const body = { sessionId, toolName: 'bash', result: 'done' };
      expect((await call('/v1/outputs', { body, headers })).status).toBe(201);
      const { json } = await call(`/v1/sessions?q=${sessionId}`);
      expect(at(json, 'sessions.0.id')).toBe(sessionId);
    }
  });

  it('are kept once, listed, found, and read in parts', async () => {
    const result = Array.from({ length: 1000 }, (_, index) => `row ${String(index + 1)}`).join(
      '\n',
    );
    const body = { sessionId: 'o', toolName: 'bash', args: { command: 'seq' }, result };
    const saved = await call('/v1/outputs', { body });
    expect(saved.status).toBe(201);
    const id = String(at(saved.json, 'output.id'));
    expect(saved.headers.get('location')).toBe(`/v1/outputs/${id}`);
    expect(at((await call('/v1/outputs', { body })).json, 'sameAs')).toBe(id);
    const whole = await call(`/v1/outputs/${id}`);
    expect([at(whole.json, 'result'), at(whole.json, 'args')]).toEqual([result, body.args]);
    const known = { headers: { 'if-none-match': whole.headers.get('etag') ?? '' } };
    expect((await call(`/v1/outputs/${id}`, known)).status).toBe(304);
    const lines = await call(`/v1/outputs/${id}/text?from=40&to=42`);
    expect(at(lines.json, 'text')).toBe('row 40\nrow 41\nrow 42');
    const found = await call(`/v1/outputs/${id}/text?pattern=%5Erow%209%24&regex=true`);
    expect(found.json).toMatchObject({ text: 'row 9', totalMatches: 1 });
    const hits = await call('/v1/outputs/search?q=seq');
    expect(at(hits.json, 'hits.0.output.sessionId')).toBe('o');
    for (const [q, match] of [
      ['"row 40"', 'all'],
      ['"40 row 41"', 'all'],
      ['"40 row 42"', 'words'],
      ['row zeppelin', 'some'],
    ] as const) {
      const { json } = await call(`/v1/outputs/search?q=${encodeURIComponent(q)}`);
      expect([q, at(json, 'hits.0.match'), at(json, 'isComplete')]).toEqual([q, match, true]);
    }
    expect(at((await call('/v1/outputs?session=o')).json, 'outputs.length')).toBe(2);
  });

  it('give back what came, whatever it looks like', async () => {
    const results: readonly unknown[] = [
      null,
      { $ctx: 'tag', lc: 1, type: 'constructor' },
      { constructor: { prototype: { x: 1 } } },
      'ctx://outputs/abc',
      ['\u0000', '\ud800', { 'a.__proto__.b': 1 }],
    ];
    for (const [index, result] of results.entries()) {
      const body = { sessionId: 'v', toolName: 'any', args: { index }, result };
      const saved = await call('/v1/outputs', { body });
      const whole = await call(`/v1/outputs/${String(at(saved.json, 'output.id'))}`);
      expect(at(whole.json, 'result')).toEqual(result);
    }
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });
});

describe('items', () => {
  it('are saved, pinned, archived, found, explained and destroyed', async () => {
    const body = { kind: 'CODE', content: 'function parse() {}' };
    const saved = await call('/v1/agents/a1/items', { body });
    expect([saved.status, at(saved.json, 'outcome')]).toEqual([201, 'created']);
    const path = saved.headers.get('location') ?? '';
    const pin = { method: 'PATCH', body: { pinned: true } };
    expect((await call(path, pin)).status).toBe(428);
    const tag = saved.headers.get('etag') ?? '';
    const pinned = await call(path, { ...pin, headers: { 'if-match': tag } });
    expect(at(pinned.json, 'item')).toMatchObject({ pinned: true, tier: 'hot', importance: 1 });
    expect((await call(path, { ...pin, headers: { 'if-match': tag } })).status).toBe(412);
    const touched = await call(`${path}/touch`, { method: 'POST' });
    expect(at(touched.json, 'item.accessCount')).toBe(1);
    const one = await call(path);
    expect(at(one.json, 'why.boost')).toBeGreaterThan(1);
    const found = await call('/v1/agents/a1/items/search?q=parse');
    expect([at(found.json, 'hits.length'), at(found.json, 'hits.0.match')]).toEqual([1, 'all']);
    const less = await call('/v1/agents/a1/items/search?q=%22parse%20function%22');
    expect(at(less.json, 'hits.0.match')).toBe('words');
    expect(at((await call('/v1/agents/a1/items/stats')).json, 'items')).toBe(1);
    expect((await call('/v1/agents')).text).toContain('a1');
    const gone = { method: 'DELETE', headers: { 'if-match': one.headers.get('etag') ?? '' } };
    expect((await call(path, gone)).status).toBe(204);
    expect((await call(path)).status).toBe(404);
  });

  it('tell what became of them since a sequence number, and what to ask next', async () => {
    const items = '/v1/agents/followed/items';
    const changes = (since: unknown) => call(`${items}/changes?since=${String(since)}`);
    const ids = (json: unknown, list: string) =>
      [0, 1, 2].flatMap((index) => at(json, `${list}.${String(index)}.id`) ?? []);
    for (const id of ['a', 'b']) {
      await call(items, { body: { kind: 'TASK', content: `first of ${id}`, id } });
    }
    const first = await changes(0);
    expect(ids(first.json, 'added').sort()).toEqual(['a', 'b']);
    await call(items, { body: { kind: 'TASK', content: 'new', id: 'c' } });
    await call(`${items}/a`, { method: 'DELETE', headers: { 'if-match': '*' } });
    const second = await changes(at(first.json, 'sequence'));
    expect(ids(second.json, 'added')).toContain('c');
    expect(second.json).toMatchObject({ removed: ['a'], unnamed: 0 });
    const refused = await Promise.all(['-1', 'x', '1.5', '999999'].map(changes));
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    expect((await call(`${items}/changes`)).status).toBe(422);
  });

  it('change once where many change one from the same version at once', async () => {
    const saved = await call('/v1/agents/many/items', { body: { kind: 'TASK', content: 'x' } });
    const path = `/v1/agents/many/items/${String(at(saved.json, 'item.id'))}`;
    const headers = { 'if-match': saved.headers.get('etag') ?? '' };
    const bodies = [{ pinned: true }, { isFinished: true }, { pinned: true, archived: true }];
    const patches = bodies.flatMap((body) =>
      Array.from({ length: 4 }, () => call(path, { method: 'PATCH', body, headers })),
    );
    const answers = await Promise.all(patches);
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 11 }, () => 412)]);
    const [won] = answers.filter(({ status }) => status === 200);
    expect((await call(path)).headers.get('etag')).toBe(won?.headers.get('etag'));
    const gone = await Promise.all(
      [1, 2, 3].map(() => call(path, { method: 'DELETE', headers: { 'if-match': '*' } })),
    );
    expect(gone.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
  });

  it('that were destroyed come back from no checkpoint', async () => {
    const items = '/v1/agents/gone/items';
    const saved = await call(items, { body: { kind: 'TASK', content: 'the secret plan' } });
    const flash = await call('/v1/agents/gone/checkpoints', { body: {} });
    const path = `${items}/${String(at(saved.json, 'item.id'))}`;
    await call(path, { method: 'DELETE', headers: { 'if-match': '*' } });
    const checkpoint = `/v1/checkpoints/${String(at(flash.json, 'checkpointId'))}`;
    const restored = await call(`${checkpoint}/restore`, { method: 'POST' });
    expect([at(restored.json, 'items.missing'), at(restored.json, 'items.purged')]).toEqual([
      [],
      1,
    ]);
    expect((await call(path)).status).toBe(404);
  });

  it('have any id: what a URL cannot hold goes as base64url', async () => {
    for (const agent of ['ü ✓ / .. %2f', '~x', 'a'.repeat(300)]) {
      const encoded = `~${Buffer.from(agent).toString('base64url')}`;
      const body = { kind: 'TASK', content: 'x' };
      expect((await call(`/v1/agents/${encoded}/items`, { body })).status).toBe(201);
      const listed = await call(`/v1/agents/${encoded}/items`);
      expect(at(listed.json, 'items.0.agentId')).toBe(agent);
    }
  });
});

describe('checkpoints', () => {
  it('are made by a flash save, compared, restored, forked and destroyed', async () => {
    const agent = 'flash';
    const save = (content: string) =>
      call(`/v1/agents/${agent}/items`, { body: { kind: 'TASK', content, id: content } });
    await save('first');
    const flash = { method: 'POST' };
    const saved = await call(`/api/agents/${agent}/context/flash-save`, flash);
    expect(saved.json).toMatchObject({
      items_archived: 0,
      hot_items_retained: 1,
      unchanged: false,
      fits: true,
    });
    const id = String(at(saved.json, 'checkpoint_id'));
    const again = await call(`/api/agents/${agent}/context/flash-save`, flash);
    expect(again.json).toMatchObject({ checkpoint_id: id, unchanged: true });
    await save('second');
    const diff = await call(`/v1/checkpoints/${id}/diff`);
    expect(at(diff.json, 'added.0')).toMatchObject({ id: 'second', place: 'hot' });
    const later = await call(`/v1/agents/${agent}/checkpoints`, { body: { label: 'later' } });
    const to = String(at(later.json, 'checkpointId'));
    const between = await call(`/v1/checkpoints/${id}/diff?to=${to}`);
    expect(at(between.json, 'added.length')).toBe(1);
    const restored = await call(`/v1/checkpoints/${id}/restore`, { method: 'POST' });
    expect(restored.json).toMatchObject({ items: { archived: 1 }, session: 'none' });
    const forked = await call(`/v1/checkpoints/${to}/fork`, { body: { agentId: 'copy' } });
    expect([forked.status, at(forked.json, 'items')]).toEqual([201, 2]);
    expect(at((await call('/v1/agents/copy/items')).json, 'items.length')).toBe(2);
    const listed = await call(`/v1/agents/${agent}/checkpoints`);
    expect(at(listed.json, 'checkpoints.length')).toBeGreaterThanOrEqual(2);
    expect((await call(`/v1/checkpoints/${to}`)).json).toMatchObject({ label: 'later' });
    expect((await call(`/v1/checkpoints/${to}`, { method: 'DELETE' })).status).toBe(204);
    expect((await call(`/v1/checkpoints/${to}`)).status).toBe(404);
  });

  it('are not made of a session that is not there', async () => {
    const body = { sessionId: 'nowhere', label: 'of nothing' };
    expect((await call('/v1/agents/flash/checkpoints', { body })).status).toBe(404);
    const listed = await call('/v1/agents/flash/checkpoints');
    expect(JSON.stringify(listed.json)).not.toContain('of nothing');
  });

  it('bring a session and its window back', async () => {
    const messages = [{ role: 'user', content: 'first' }];
    await call('/v1/sessions/back/prepare', { body: { messages, format: 'openai-chat' } });
    const body = { sessionId: 'back' };
    const saved = await call('/v1/agents/nobody/checkpoints', { body });
    const id = String(at(saved.json, 'checkpointId'));
    const more = [
      ...messages,
      { role: 'assistant', content: 'yes' },
      { role: 'user', content: 'b' },
    ];
    await call('/v1/sessions/back/prepare', { body: { messages: more } });
    expect((await call(`/v1/checkpoints/${id}/restore`, { method: 'POST' })).status).toBe(200);
    const view = await call('/v1/sessions/back/context');
    expect(at(view.json, 'messages.length')).toBe(1);
    const other = [
      ...messages,
      { role: 'assistant', content: 'no' },
      { role: 'user', content: 'c' },
    ];
    const answer = await call('/v1/sessions/back/prepare', { body: { messages: other } });
    expect(at(answer.json, 'receipt')).toMatchObject({ added: 2, total: 3 });
  });
});

describe('requests that name themselves', () => {
  it('work once, and tell another request from themselves', async () => {
    const body = { item_type: 'TASK', content: 'once' };
    const headers = { 'idempotency-key': 'abc-1' };
    const path = '/api/agents/idem/context/save';
    const first = await call(path, { body, headers });
    const again = await call(path, { body, headers });
    expect(again.json).toEqual(first.json);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const stats = await call('/api/agents/idem/context/stats');
    expect(at(stats.json, 'total_items')).toBe(1);
    const other = await call(path, { body: { ...body, content: 'twice' }, headers });
    expect(other.status).toBe(422);
    const otherKey = await call(path, { body, headers, key: await server.key('write') });
    expect(otherKey.headers.get('idempotency-replayed')).toBeNull();
  });

  it('work once when they come at the same moment', async () => {
    const body = { item_type: 'TASK', content: 'once' };
    const headers = { 'idempotency-key': 'abc-2' };
    const path = '/api/agents/idem2/context/save';
    const all = await Promise.all(Array.from({ length: 10 }, () => call(path, { body, headers })));
    expect(new Set(all.map(({ status, text }) => `${String(status)} ${text}`)).size).toBe(1);
    expect(
      all.filter(({ headers: sent }) => sent.get('idempotency-replayed') === null),
    ).toHaveLength(1);
    const stats = await call('/api/agents/idem2/context/stats');
    expect(at(stats.json, 'total_items')).toBe(1);
  });
});

describe('prepare', () => {
  const user = (content: string) => ({ role: 'user', content });
  const conversation = [
    user('List the files'),
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'a.ts\nb.ts' },
  ];

  it('gives back what fits as it came, in its format', async () => {
    const answer = await call('/v1/sessions/p1/prepare', { body: { messages: conversation } });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      format: 'openai-chat',
      messages: conversation,
      receipt: { added: 3, total: 3, fits: true, losses: {} },
    });
  });

  it('takes what is new of a conversation that is handed in again, or its end', async () => {
    const more = [...conversation, { role: 'assistant', content: 'Two files.' }, user('Thanks')];
    const again = await call('/v1/sessions/p1/prepare', { body: { messages: more } });
    expect(at(again.json, 'receipt')).toMatchObject({ added: 2, total: 5 });
    const same = await call('/v1/sessions/p1/prepare', { body: { messages: more } });
    expect(at(same.json, 'receipt')).toMatchObject({ added: 0, total: 5 });
    const end = [{ role: 'assistant', content: 'Bye.' }, user('One more')];
    const body = { messages: end, from: 5, format: 'openai-chat' };
    const ended = await call('/v1/sessions/p1/prepare', { body });
    expect(at(ended.json, 'receipt')).toMatchObject({ added: 2, total: 7 });
    expect(at(ended.json, 'messages.length')).toBe(7);
  });

  it('refuses another conversation under the same name', async () => {
    const other = [user('Something else'), ...conversation.slice(1)];
    const answer = await call('/v1/sessions/p1/prepare', { body: { messages: other } });
    expect(answer.status).toBe(409);
    const gap = await call('/v1/sessions/p1/prepare', {
      body: { messages: [user('later')], from: 50, format: 'openai-chat' },
    });
    expect(gap.status).toBe(409);
  });

  it('makes room in a small window, and everything that left can be read', async () => {
    const rows = (name: string) => `${name} row with words of its own\n`.repeat(1500);
    const messages = Array.from({ length: 8 }, (_, index) => {
      const id = `call${String(index)}`;
      return [
        user(`Step ${String(index)}`),
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id,
              type: 'function',
              function: { name: 'bash', arguments: `{"n":${String(index)}}` },
            },
          ],
        },
        { role: 'tool', tool_call_id: id, content: rows(`step-${String(index)}`) },
      ];
    }).flat();
    const body = { messages, windowTokens: 40_000 };
    const answer = await call('/v1/sessions/p2/prepare', { body });
    expect(answer.status).toBe(200);
    expect(at(answer.json, 'receipt.fits')).toBe(true);
    expect(at(answer.json, 'messages.length')).toBe(messages.length);
    const why = await call('/v1/sessions/p2/why?limit=200');
    const segments = at(why.json, 'segments');
    const left = (Array.isArray(segments) ? segments : []).filter(
      (one) =>
        at(one, 'form') !== 'whole' && String(at(one, 'pointer')).startsWith('ctx://outputs'),
    );
    expect(left.length).toBeGreaterThan(0);
    for (const one of left.slice(0, 3)) {
      const id = String(at(one, 'pointer')).slice('ctx://outputs/'.length);
      const read = await call(`/v1/outputs/${id}`);
      expect(String(at(read.json, 'result'))).toContain('row with words of its own');
    }
    const overview = await call('/v1/sessions/p2/context?messages=false');
    expect(at(overview.json, 'tokens')).toBeLessThan(Number(at(overview.json, 'tokensWhole')));
    const came = await call('/v1/sessions/p2/messages?from=2&limit=1');
    expect(came.text).toContain('step-0 row');
    const log = await call('/v1/sessions/p2/events?limit=2');
    expect(at(log.json, 'next')).toBe(2);
  });

  it('tells system prompt and tools apart, by name, where a request brought both', async () => {
    const tools = [{ name: 'bash', description: 'runs a command' }];
    const body = { messages: [user('hello')], system: 'Be brief.', tools };
    expect((await call('/v1/sessions/p5/prepare', { body })).status).toBe(200);
    const { json } = await call('/v1/sessions/p5/view?characters=0');
    expect(at(json, 'fixed.tools.0.name')).toBe('bash');
    const apart = [at(json, 'fixed.system'), at(json, 'fixed.tools.0.tokens')].map(Number);
    expect(Math.min(...apart)).toBeGreaterThan(0);
    expect(apart.reduce((sum, one) => sum + one)).toBe(at(json, 'fixedTokens'));
  });

  it('says that nothing is there, and what is no message', async () => {
    expect((await call('/v1/sessions/none/context')).status).toBe(404);
    expect((await call('/v1/sessions/none/why')).status).toBe(404);
    expect((await call('/v1/sessions/none/events')).status).toBe(404);
    const odd = await call('/v1/sessions/p3/prepare', { body: { messages: [{ nothing: 1 }] } });
    expect(odd.status).toBe(422);
    const system = 'words '.repeat(20_000);
    const large = { messages: [user('hello')], system, windowTokens: 2000 };
    const over = await call('/v1/sessions/p4/prepare', {
      body: { ...large, format: 'openai-chat' },
    });
    expect([over.status, at(over.json, 'code')]).toEqual([422, 'CTX_WINDOW_OVERFLOW']);
  });
});
