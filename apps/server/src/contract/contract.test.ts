import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf, type DocumentedRoute, routesOf } from '../test-support/routes-of.ts';
import { at, membersOf, type RunningServer, startServer } from '../test-support/start-server.ts';
import {
  bodies,
  expectProblem,
  expectTenantsApart,
  nameOf,
  type SendToRoute,
  sendToRoute,
  values,
} from '../test-support/tenant-matrix.ts';

const weaker: Readonly<Record<string, 'read' | 'write'>> = { write: 'read', admin: 'write' };

let server: RunningServer;
let routes: readonly DocumentedRoute[];
let admin: string;

const send: SendToRoute = (route, values, options) =>
  sendToRoute(server.call, route, values, options);

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
    await expectTenantsApart({ call: server.call, routes, ours: admin, theirs });
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

  it('answers 405 to a method that its address does not take, with those that it does', async () => {
    const misread: string[] = [];
    for (const path of new Set(routes.map((route) => route.path))) {
      const there = routes.filter((route) => route.path === path);
      const [route] = there;
      const taken = there.map(({ method }) => method);
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        if (route === undefined || taken.includes(method)) continue;
        const answer = await server.call(addressOf(route, values), { method, key: admin });
        if (answer.status !== 405) misread.push(`${method} ${path}`);
        else {
          expectProblem(answer, 405, path);
          const allowed = answer.headers.get('allow')?.split(', ');
          expect(allowed).toEqual(expect.arrayContaining(taken));
          expect(allowed).not.toContain(method);
        }
      }
    }
    // To these methods the last part is the id of an item.
    const items = ['search', 'stats', 'changes'].map((name) => `/v1/agents/{agent}/items/${name}`);
    const ofItems = items.flatMap((path) => [`PATCH ${path}`, `DELETE ${path}`]);
    expect(misread.toSorted()).toEqual(ofItems.toSorted());
    const odd = await server.call('/v1/sessions?limit=1', { method: 'PUT', key: admin });
    expect([odd.status, odd.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const one = await server.call('/v1/sessions/s', { method: 'OPTIONS', key: admin });
    expect(one.headers.get('allow')).toBe('GET, HEAD, PATCH, PUT');
    for (const path of ['/v1/none', '/v1/sessions/a/b', '/V1/sessions']) {
      expectProblem(await server.call(path, { method: 'PUT', key: admin }), 404, path);
    }
    expectProblem(await server.call('/v1/sessions', { method: 'PUT' }), 401, 'without a key');
  });

  it('answers 413 to a body that is too large, and says how large it may be (S20)', async () => {
    for (const route of routes.filter(({ hasBody }) => hasBody)) {
      const body = JSON.stringify({ content: 'x'.repeat(41_000) });
      const answer = await send(route, values, { key: admin, body });
      expectProblem(answer, 413, nameOf(route));
      expect(answer.text).toMatch(/ The limit is [24]0000 bytes\./);
    }
  });

  it('answers 413 to an MCP message that is too large, and takes one that is not (S20)', async () => {
    const message = (padding: string) => ({ jsonrpc: '2.0', id: 1, method: 'ping', padding });
    for (const path of ['/mcp', '/mcp/s']) {
      const headers = { accept: 'application/json, text/event-stream' };
      const large = { key: admin, method: 'POST', headers, body: message('x'.repeat(41_000)) };
      expectProblem(await server.call(path, large), 413, path);
      const small = { ...large, body: message('') };
      expect((await server.call(path, small)).status).not.toBe(413);
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
