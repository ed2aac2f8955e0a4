import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf, type DocumentedRoute, routesOf } from '../test-support/routes-of.ts';
import {
  type Answer,
  at,
  membersOf,
  type RunningServer,
  startServer,
} from '../test-support/start-server.ts';

const message = { role: 'user', content: 'hello' };
const document = {
  session_id: 's',
  system_state: {},
  facts: [],
  recent_history: [],
  long_term_summary: '',
  active_tasks: [],
  tool_stats: { total_calls: 0, by_tool: {}, failures: 0 },
  last_known_environment: {},
  token_usage: { total_input: 0, total_output: 0, by_session: 0 },
};

/** A good body for every route that takes one: a new route needs its line here. */
const bodies: Readonly<Record<string, unknown>> = {
  'POST /api/agents/{agent_id}/context/save': { item_type: 'TASK', content: 'x' },
  'PUT /v1/sessions/{session}': { document },
  'PATCH /v1/sessions/{session}': { title: 'x' },
  'POST /v1/sessions/{session}/messages': { messages: [message] },
  'POST /v1/sessions/{session}/prepare': { messages: [message], format: 'openai-chat' },
  'POST /v1/sessions/{session}/compactions': {},
  'POST /v1/sessions/{session}/rewind': { to: 0 },
  'POST /v1/sessions/{session}/facts': { text: 'a fact' },
  'POST /v1/agents/{agent}/facts': { text: 'a fact' },
  'PUT /v1/sessions/{session}/tasks/{task}': { status: 'Running' },
  'POST /v1/outputs': { sessionId: 's', toolName: 't', result: 'r' },
  'POST /v1/agents/{agent}/items': { kind: 'TASK', content: 'x' },
  'PATCH /v1/agents/{agent}/items/{item}': { pinned: true },
  'POST /v1/agents/{agent}/checkpoints': {},
  'POST /v1/checkpoints/{checkpoint}/fork': { sessionId: 'forked' },
  'POST /v1/keys': { scope: 'read' },
};

/** Routes whose ids make what they name, in the caller's own tenant: nobody else's is reached. */
const makers = new Set([
  'POST /api/agents/{agent_id}/context/save',
  'POST /v1/sessions/{session}/messages',
  'POST /v1/sessions/{session}/prepare',
  'POST /v1/sessions/{session}/facts',
  'POST /v1/agents/{agent}/facts',
  'PUT /v1/sessions/{session}/tasks/{task}',
  'POST /v1/agents/{agent}/items',
  'POST /api/agents/{agent_id}/context/flash-save',
  'POST /v1/agents/{agent}/checkpoints',
]);

/** Routes that answer with an empty list for whatever agent or session nobody knows. */
const lists = new Set([
  'GET /api/agents/{agent_id}/context',
  'GET /api/agents/{agent_id}/context/stats',
  'GET /v1/agents/{agent}/facts',
  'GET /v1/agents/{agent}/items',
  'GET /v1/agents/{agent}/items/search',
  'GET /v1/agents/{agent}/items/stats',
  'GET /v1/agents/{agent}/items/changes',
  'GET /v1/agents/{agent}/checkpoints',
  'GET /v1/outputs',
]);

const nameOf = ({ method, path }: DocumentedRoute): string => `${method} ${path}`;
const weaker: Readonly<Record<string, 'read' | 'write'>> = { write: 'read', admin: 'write' };

let server: RunningServer;
let routes: readonly DocumentedRoute[];
let admin: string;

function send(
  route: DocumentedRoute,
  values: Readonly<Record<string, string>>,
  options: Parameters<RunningServer['call']>[1] = {},
): Promise<Answer> {
  const body = options.body ?? (route.hasBody ? bodies[nameOf(route)] : undefined);
  const { method } = route;
  const sent = { method, ...options, ...(body === undefined ? {} : { body }) };
  return server.call(addressOf(route, values), sent);
}

function expectProblem(answer: Answer, status: number, of: string): void {
  expect([of, answer.status]).toEqual([of, status]);
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(at(answer.json, 'status')).toBe(status);
  expect(at(answer.json, 'title')).toEqual(expect.any(String));
}

const values = { key: '0'.repeat(16), compaction: '0', since: '0' };

beforeAll(async () => {
  server = await startServer({
    limits: { bodyBytes: 20_000, largeBodyBytes: 40_000, refusalsPerMinute: 10_000 },
  });
  routes = await routesOf(server);
  admin = await server.key('admin');
});
afterAll(() => server.stop());

describe('every route of the document', () => {
  it('is known: there are routes, each has a body here that takes one, and no other is open (S6)', () => {
    expect(routes.length).toBeGreaterThan(40);
    const takers = routes.filter(({ hasBody }) => hasBody).map(nameOf);
    expect(takers.toSorted()).toEqual(Object.keys(bodies).toSorted());
    const open = routes.filter(({ scope }) => scope === undefined).map(nameOf);
    expect(open).toEqual(['GET /healthz', 'GET /readyz']);
  });

  it('answers 401 without a good key (S6)', async () => {
    for (const route of routes.filter(({ scope }) => scope !== undefined)) {
      for (const key of [undefined, 'ctx_x', `ctx_${'0'.repeat(16)}_${'a'.repeat(43)}`]) {
        const answer = await send(route, values, key === undefined ? {} : { key });
        expectProblem(answer, 401, nameOf(route));
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      }
    }
  });

  it('answers 403 to a key of a lower scope (S6, S7)', async () => {
    const keys = { read: await server.key('read'), write: await server.key('write') };
    for (const route of routes) {
      const lower = weaker[route.scope ?? ''];
      if (lower === undefined) continue;
      expectProblem(await send(route, values, { key: keys[lower] }), 403, nameOf(route));
    }
  });

  it("answers another tenant's ids as unknown ones, and changes nothing of theirs (S8)", async () => {
    const theirs = await server.key('admin', 'theirs');
    const ids = { since: values.since, ...(await plant(theirs)) };
    const before = await snapshot(theirs, ids);
    const named = routes.filter(({ path }) => path.includes('{'));
    const isMaker = (route: DocumentedRoute): boolean => makers.has(nameOf(route));
    // What makes something of its own comes last.
    const ordered = [...named.filter((route) => !isMaker(route)), ...named.filter(isMaker)];
    for (const route of ordered) {
      const headers = { 'if-match': '*' };
      const foreign = await send(route, ids, { key: admin, headers });
      const unknown = await send(route, values, { key: admin, headers });
      const name = nameOf(route);
      expect(foreign.text).not.toMatch(/their (content|result)/);
      if (makers.has(name)) expect([name, foreign.status]).toEqual([name, unknown.status]);
      else if (lists.has(name)) expect([name, foreign.text]).toEqual([name, unknown.text]);
      else {
        expectProblem(foreign, 404, name);
        expect(foreign.text).toBe(unknown.text);
        expect(foreign.headers.get('etag')).toBe(unknown.headers.get('etag'));
      }
    }
    expect(await snapshot(theirs, ids)).toEqual(before);
  });

  it('answers 422 to what its schema does not know', async () => {
    for (const route of routes) {
      const name = nameOf(route);
      const address = addressOf(route, values);
      const odd = `${address}${address.includes('?') ? '&' : '?'}no_such_member=1`;
      const { method } = route;
      const body = route.hasBody ? { body: bodies[name] } : {};
      expectProblem(await server.call(odd, { method, key: admin, ...body }), 422, name);
      if (!route.hasBody) continue;
      const extra = { ...membersOf(bodies[name]), no_such_member: 1 };
      const answer = await send(route, values, { key: admin, body: extra });
      expectProblem(answer, 422, name);
      expect(at(answer.json, 'errors.length')).toBeGreaterThan(0);
    }
  });

  it('answers 422 to an id that is none (S2)', async () => {
    for (const route of routes.filter(({ path }) => path.includes('{'))) {
      for (const id of ['*', 'a b', '~', '~AA', '-x', "x'--", '%7B%22$gt%22:%22%22%7D', 'a%25']) {
        const bad = {
          session: id,
          agent: id,
          agent_id: id,
          item: id,
          output: id,
          task: id,
          checkpoint: id,
        };
        const answer = await send(route, { ...bad, key: id, compaction: id }, { key: admin });
        expectProblem(answer, 422, `${nameOf(route)} ${id}`);
      }
    }
  });

  it('answers 413 to a body that is too large (S20)', async () => {
    for (const route of routes.filter(({ hasBody }) => hasBody)) {
      const body = JSON.stringify({ content: 'x'.repeat(41_000) });
      expectProblem(await send(route, values, { key: admin, body }), 413, nameOf(route));
    }
  });

  it('answers 415 to other media types and to compressed bodies (S20)', async () => {
    for (const route of routes.filter(({ hasBody }) => hasBody)) {
      const headers = { 'content-type': 'text/plain' };
      const plain = await send(route, values, { key: admin, headers });
      expectProblem(plain, 415, nameOf(route));
      const gzip = await fetch(`${server.url}${addressOf(route, values)}`, {
        method: route.method,
        headers: {
          authorization: `Bearer ${admin}`,
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        },
        body: new Uint8Array(gzipSync(JSON.stringify(bodies[nameOf(route)]))),
      });
      expect([nameOf(route), gzip.status]).toEqual([nameOf(route), 415]);
    }
  });

  it('answers 400 to what is no JSON, and to JSON that is too deep', async () => {
    for (const route of routes.filter(({ hasBody }) => hasBody)) {
      for (const body of ['{', '[1,]', '['.repeat(10_000)]) {
        const answer = await send(route, values, { key: admin, body });
        expectProblem(answer, 400, nameOf(route));
      }
    }
  });
});

/** Things of another tenant, and their ids. */
async function plant(key: string): Promise<Record<string, string>> {
  const put = { method: 'PUT', body: { document }, headers: { 'if-none-match': '*' } };
  await server.call('/v1/sessions/theirs', { key, ...put });
  const messages = Array.from({ length: 60 }, () => message);
  await server.call('/v1/sessions/theirs/messages', { key, body: { messages } });
  await server.call('/v1/sessions/theirs/compactions', { key, body: {} });
  const output = { sessionId: 'theirs', toolName: 't', result: 'their result' };
  const saved = await server.call('/v1/outputs', { key, body: output });
  const item = { kind: 'TASK', content: 'their content' };
  const kept = await server.call('/v1/agents/their-agent/items', { key, body: item });
  const saving = { sessionId: 'theirs' };
  const flash = await server.call('/v1/agents/their-agent/checkpoints', { key, body: saving });
  const made = await server.call('/v1/keys', { key, body: { scope: 'read' } });
  return {
    session: 'theirs',
    agent: 'their-agent',
    agent_id: 'their-agent',
    item: String(at(kept.json, 'item.id')),
    output: String(at(saved.json, 'output.id')),
    task: 'their-task',
    compaction: '0',
    checkpoint: String(at(flash.json, 'checkpointId')),
    key: String(at(made.json, 'key.id')),
  };
}

/** All that the other tenant can see of its own. */
async function snapshot(key: string, ids: Record<string, string>): Promise<readonly string[]> {
  const { item = '', output = '' } = ids;
  const paths = [
    '/v1/sessions/theirs',
    '/v1/sessions/theirs/compactions',
    '/v1/sessions/theirs/facts',
    '/v1/sessions/theirs/tasks',
    `/v1/outputs/${output}`,
    `/v1/agents/their-agent/items/${item}`,
    '/v1/agents/their-agent/facts',
    '/v1/keys',
  ];
  const texts: string[] = [];
  for (const path of paths) {
    const { json } = await server.call(path, { key });
    // How an item fades is not what anybody did to it.
    const { why: _why, ...rest } = membersOf(json);
    texts.push(JSON.stringify({ ...rest, item: at(rest, 'item.pinned') }));
  }
  expect(texts.length).toBe(paths.length);
  return texts;
}

describe('the rate', () => {
  it('is limited for a key over all routes, with a time to wait', async () => {
    const limited = await startServer({ limits: { requestsPerMinute: 30 } });
    try {
      const key = await limited.key('admin');
      const other = await limited.key('admin');
      for (let count = 0; count < 30; count += 1) {
        expect((await limited.call('/v1/stats', { key })).status).toBe(200);
      }
      for (const route of (await routesOf(limited)).filter(({ scope }) => scope !== undefined)) {
        const body = route.hasBody ? { body: bodies[nameOf(route)] } : {};
        const { method } = route;
        const answer = await limited.call(addressOf(route, values), { method, key, ...body });
        expectProblem(answer, 429, nameOf(route));
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect((await limited.call('/v1/stats', { key: other })).status).toBe(200);
    } finally {
      await limited.stop();
    }
  });

  it('is limited for an address that has no good key', async () => {
    const limited = await startServer({ limits: { refusalsPerMinute: 5 } });
    try {
      const statuses: number[] = [];
      for (let count = 0; count < 8; count += 1) {
        statuses.push((await limited.call('/v1/stats')).status);
      }
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
      const key = await limited.key('read');
      expect((await limited.call('/v1/stats', { key })).status).toBe(200);
    } finally {
      await limited.stop();
    }
  });
});
