import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawRequest } from '../test-support/raw-request.ts';
import { secretOf } from '../test-support/secret-of.ts';
import { at, type RunningServer, startServer } from '../test-support/start-server.ts';

let server: RunningServer;
let key: string;

beforeAll(async () => {
  server = await startServer();
  key = await server.key('write');
});
afterAll(() => server.stop());

const bearer = (text: string): Record<string, string> => ({ authorization: `Bearer ${text}` });

describe('an address that there is not', () => {
  it('is answered to a browser by the page, with 404, and to others as before', async () => {
    const asked = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${String(server.port)}/nothing/here`, { headers });
    const answer = await asked({ accept: 'text/html,*/*' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
    expect((await asked({})).status).toBe(401);
    const known = await asked(bearer(key));
    expect([known.status, known.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json',
    ]);
  });
});

describe('hosts and origins', () => {
  it('refuse another host on every kind of address (S12)', async () => {
    const port = String(server.port);
    const foreign = ['evil.example', `evil.example:${port}`, '127.0.0.1', '127.0.0.1:1'];
    for (const path of ['/healthz', '/v1/stats', '/v1/live', '/openapi.json', '/unknown']) {
      for (const host of foreign) {
        const answer = await rawRequest(server.port, path, { host, ...bearer(key) });
        expect([path, host, answer.status]).toEqual([path, host, 421]);
      }
      for (const name of ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST']) {
        const headers = { host: `${name}:${port}`, ...bearer(key), accept: 'application/json' };
        expect((await rawRequest(server.port, path, headers)).status).not.toBe(421);
      }
    }
  });

  it('refuse origins that only look like ours, and send no CORS header (S10, S11)', async () => {
    const own = `http://127.0.0.1:${String(server.port)}`;
    const evil = [
      'http://localhost.evil.com',
      'http://localhost:1@evil',
      `${own}.evil.com`,
      `${own}/`,
      `https://127.0.0.1:${String(server.port)}`,
      'null',
      '',
    ];
    const host = `127.0.0.1:${String(server.port)}`;
    for (const origin of evil) {
      const headers = { host, origin, ...bearer(key) };
      const answer = await rawRequest(server.port, '/v1/stats', headers);
      expect([origin, answer.status]).toEqual([origin, 403]);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
    const headers = { host, origin: own, ...bearer(key) };
    const answer = await rawRequest(server.port, '/v1/stats', headers);
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('hold where no key is needed, too', async () => {
    const open = await startServer({ access: 'none' });
    try {
      expect((await open.call('/v1/stats')).status).toBe(200);
      const evil = { host: `127.0.0.1:${String(open.port)}`, origin: 'http://evil.example' };
      expect((await rawRequest(open.port, '/v1/stats', evil)).status).toBe(403);
      expect((await rawRequest(open.port, '/v1/stats', { host: 'evil.example' })).status).toBe(421);
    } finally {
      await open.stop();
    }
  });
});

describe('addresses', () => {
  it('with encoded or doubtful separators are refused (S15, S16)', async () => {
    const host = `127.0.0.1:${String(server.port)}`;
    const paths = [
      '/v1/sessions/a%2fb',
      '/v1/sessions/..%2F..%2Fetc',
      '/v1/sessions/a%5Cb',
      '/v1/sessions/%2e%2e/keys',
      '/v1/sessions/../keys',
      '/v1/./stats',
      '/v1/sessions/a\\b',
      '/v1/sessions/a%00b',
    ];
    for (const path of paths) {
      const answer = await rawRequest(server.port, path, { host, ...bearer(key) });
      expect([path, answer.status]).toEqual([path, 400]);
    }
    const odd = await rawRequest(server.port, '/v1/sessions/%zz', { host, ...bearer(key) });
    expect(odd.status).toBe(400);
  });

  it('of no view give a browser the page all the same, which says so, and a page of no other host', async () => {
    const host = `127.0.0.1:${String(server.port)}`;
    const accept = 'text/html';
    for (const path of ['/outputs/ctx%3A%2F%2Fx', '/sessions/a%2fb', '/nowhere/a%2fb']) {
      const answer = await rawRequest(server.port, path, { host, accept });
      expect([path, answer.headers['content-type']]).toEqual([path, 'text/html; charset=utf-8']);
      const evil = await rawRequest(server.port, path, { host: 'evil.example', accept });
      expect([path, evil.status]).toEqual([path, 421]);
    }
  });
});

describe('keys', () => {
  it('of any form but a good one are 401, and nothing of them is told (S9)', async () => {
    const hostile = ["' OR '1'='1", 'ctx_%', '"; DROP TABLE api_keys; --', `${key}x`, 'Basic abc'];
    for (const text of hostile) {
      const answer = await server.call('/v1/stats', { headers: bearer(text) });
      expect(answer.status).toBe(401);
      expect(answer.text).not.toContain(text);
    }
    const latin = await server.call('/v1/stats', { headers: { authorization: 'Bearer \u00e9' } });
    expect(latin.status).toBe(401);
    const basic = await server.call('/v1/stats', { headers: { authorization: `Basic ${key}` } });
    expect(basic.status).toBe(401);
    expect((await server.call(`/v1/stats?key=${key}`)).status).toBe(401);
    expect((await server.call('/v1/stats', { headers: { cookie: `key=${key}` } })).status).toBe(
      401,
    );
    const long = await server
      .call('/v1/stats', { headers: bearer('a'.repeat(15_000)) })
      .catch(() => undefined);
    expect([undefined, 401, 431]).toContain(long?.status);
  });

  it('end with the next request once they are revoked (S7)', async () => {
    const admin = await server.key('admin');
    const made = await server.call('/v1/keys', { key: admin, body: { scope: 'read' } });
    const text = String(at(made.json, 'text'));
    expect((await server.call('/v1/stats', { key: text })).status).toBe(200);
    const id = String(at(made.json, 'key.id'));
    await server.call(`/v1/keys/${id}`, { key: admin, method: 'DELETE' });
    expect((await server.call('/v1/stats', { key: text })).status).toBe(401);
  });

  it('end by themselves at the time that they were made for (S7)', async () => {
    const admin = await server.key('admin');
    const make = (expiresAt: string) =>
      server.call('/v1/keys', { key: admin, body: { scope: 'read', expiresAt } });
    const made = await make(new Date(Date.now() + 2000).toISOString());
    expect(made.status).toBe(201);
    const text = String(at(made.json, 'text'));
    const status = async () => (await server.call('/v1/stats', { key: text })).status;
    await expect.poll(status, { timeout: 20_000 }).toBe(401);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(String(at(made.json, 'key.expiresAt'))));
    expect((await make('2020-01-01T00:00:00Z')).status).toBe(422);
    expect((await make('tomorrow')).status).toBe(422);
  });

  it('are listed without their secret', async () => {
    const admin = await server.key('admin');
    const listed = await server.call('/v1/keys?limit=200', { key: admin });
    expect(listed.text).not.toContain(secretOf(admin));
    expect(listed.text).not.toMatch(/[0-9a-f]{64}/);
  });
});

describe('hostile bodies and queries', () => {
  it('never set a prototype (S5)', async () => {
    const bodies = [
      '{"item_type":"TASK","content":"x","__proto__":{"polluted":1}}',
      '{"item_type":"TASK","content":"x","constructor":{"prototype":{"polluted":1}}}',
      '{"item_type":"TASK","content":"x","a.__proto__.polluted":1}',
    ];
    for (const body of bodies) {
      const answer = await server.call('/api/agents/a/context/save', { key, body });
      expect(answer.status).toBe(422);
    }
    await server.call('/v1/outputs/search?q=x&__proto__[polluted]=1&__proto__=1', { key });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('name no member twice and none with U+0000 (S17)', async () => {
    for (const body of [
      '{"item_type":"TASK","content":"x","content":"y"}',
      '{"item_type":"TASK","content":"x","content\\u0000":"y"}',
      '{"item_type":"TASK","cont\\u0065nt":"x","content":"y"}',
    ]) {
      const answer = await server.call('/api/agents/a/context/save', { key, body });
      expect([body, answer.status]).toEqual([body, 422]);
    }
  });

  it('find nothing more by the signs of query languages (S1, S2)', async () => {
    const save = (content: string) =>
      server.call('/v1/agents/inject/items', { key, body: { kind: 'TASK', content } });
    await save('plain words');
    const signs = ["' OR 1=1 --", '%', '_', '*', '"plain"* OR x', 'NEAR(a b)', '{"$gt":""}', ')('];
    for (const text of signs) {
      const q = encodeURIComponent(text);
      const found = await server.call(`/v1/agents/inject/items/search?q=${q}`, { key });
      expect([200, 422]).toContain(found.status);
      expect(found.text).not.toMatch(/sqlite|select /i);
      const kind = await server.call(`/v1/agents/inject/items?kind=${q}`, { key });
      expect(at(kind.json, 'items.length')).toBe(0);
      const cursor = await server.call(`/v1/agents/inject/items?cursor=${q}`, { key });
      expect(cursor.status).toBe(422);
      const session = await server.call(`/v1/outputs?session=${q}`, { key });
      expect(at(session.json, 'outputs.length')).toBe(0);
    }
    for (const query of ['limit=0', 'limit=201', 'limit=1e9', 'limit=-1', 'limit=x', 'limit[]=1']) {
      const answer = await server.call(`/v1/agents/inject/items?${query}`, { key });
      expect([query, answer.status]).toEqual([query, 422]);
    }
    for (const id of [{ $gt: '' }, ['a'], 1, null, 'a\u0000b', '']) {
      const body = { sessionId: id, toolName: 't', result: 'r' };
      expect((await server.call('/v1/outputs', { key, body })).status).toBe(422);
    }
  });

  it('of a depth of a million are refused at once, and the server lives (P2, S20)', async () => {
    const deep = '['.repeat(1_000_000);
    expect((await server.call('/v1/outputs', { key, body: deep })).status).toBe(400);
    expect((await server.call('/healthz')).status).toBe(200);
  });

  it('without end are cut off and not held, and the server lives (S20)', async () => {
    const before = process.memoryUsage().rss;
    const chunk = Buffer.alloc(1_048_576, 0x20);
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(server.port, '127.0.0.1');
      const head = [
        'POST /v1/outputs HTTP/1.1',
        `Host: 127.0.0.1:${String(server.port)}`,
        `Authorization: Bearer ${key}`,
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
      ];
      let text = '';
      let sent = 0;
      const write = (): void => {
        // A gigabyte, if the server took it.
        if (socket.destroyed || sent >= 1024) return;
        sent += 1;
        socket.write('100000\r\n');
        socket.write(chunk);
        if (socket.write('\r\n')) setImmediate(write);
        else socket.once('drain', write);
      };
      socket.on('data', (bytes) => (text += bytes.toString('utf8')));
      socket.on('error', () => undefined);
      socket.on('close', () => {
        resolve(text);
      });
      socket.write(`${head.join('\r\n')}\r\n\r\n`, write);
    });
    // Whoever goes on sending may find the connection reset before the answer is read.
    expect(answer === '' || answer.startsWith('HTTP/1.1 413 ')).toBe(true);
    expect((await server.call('/healthz')).status).toBe(200);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1_048_576);
  });
});

describe('a host', () => {
  const answerTo = (lines: readonly string[]): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(server.port, '127.0.0.1');
      let text = '';
      socket.on('data', (bytes) => (text += bytes.toString('utf8')));
      socket.on('error', () => undefined);
      socket.on('close', () => {
        resolve(text.split('\r\n', 1)[0] ?? '');
      });
      socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
    });
  const own = (): string => `127.0.0.1:${String(server.port)}`;

  it('that is named twice is refused, whichever comes first', async () => {
    const both = [`Host: ${own()}`, 'hOST: evil.example'];
    for (const hosts of [both, both.toReversed(), [both[0] ?? '', both[0] ?? '']]) {
      expect(await answerTo(['GET /healthz HTTP/1.1', ...hosts])).toMatch(/^HTTP\/1.1 400 /);
    }
  });

  it('of a whole address must be the one of the Host header', async () => {
    const host = `Host: ${own()}`;
    const foreign = await answerTo(['GET http://evil.example/healthz HTTP/1.1', host]);
    expect(foreign).toMatch(/^HTTP\/1.1 400 /);
    expect(await answerTo([`GET /healthz HTTP/1.1`, host])).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('a body that says it is too large', () => {
  it('is answered 413 before it is sent', async () => {
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(server.port, '127.0.0.1');
      const head = [
        'POST /v1/outputs HTTP/1.1',
        `Host: 127.0.0.1:${String(server.port)}`,
        `Authorization: Bearer ${key}`,
        'Content-Type: application/json',
        'Content-Length: 1073741824',
      ];
      socket.on('error', () => undefined);
      socket.once('data', (bytes) => {
        resolve(bytes.toString('utf8'));
        socket.destroy();
      });
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
    });
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
  });
});

describe('what goes out', () => {
  it('has the headers that protect a page, and is kept by nobody (S19)', async () => {
    const answer = await server.call('/v1/stats', { key });
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-powered-by')).toBeNull();
  });

  it('says of readiness only whether, unless a key is there', async () => {
    expect((await server.call('/readyz')).json).toEqual({ isReady: true });
    const known = await server.call('/readyz', { key });
    expect(at(known.json, 'checks.length')).toBe(4);
  });

  it('counts by route, never by id', async () => {
    await server.call('/v1/sessions/a-very-own-id', { key });
    const metrics = await server.call('/metrics', { key });
    expect(metrics.text).toContain('route="/v1/sessions/:session"');
    expect(metrics.text).not.toContain('a-very-own-id');
    expect(metrics.text).toContain('ctx_live_events_total{type="item-saved"}');
  });

  it('names nothing that is unknown, and wants a key first', async () => {
    expect((await server.call('/no/such/route')).status).toBe(401);
    const answer = await server.call('/no/such/route', { key });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toMatch(/problem\+json/);
  });
});
