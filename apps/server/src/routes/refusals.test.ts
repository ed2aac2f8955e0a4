import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pointerOf } from '../http/zod-validator.ts';
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

describe('what a schema refuses', () => {
  it('is named by a JSON pointer: the empty one for the whole, names with ~ and / as RFC 6901 has them', async () => {
    const path = '/api/agents/seed/context/save';
    const whole = await call(path, { body: [] });
    expect(at(whole.json, 'errors.0.pointer')).toBe('');
    const one = await call(path, { body: { item_type: 'TASK', content: 7 } });
    expect(at(one.json, 'errors.0.pointer')).toBe('/content');
    expect(pointerOf(['a/b', 'm~n', 0, ''])).toBe('/a~1b/m~0n/0/');
  });
});

describe('a version that is known', () => {
  it('is found among those of If-None-Match, weak or strong, and by If-Match only where it is strong', async () => {
    const body = { kind: 'TASK', content: 'x', id: 'one' };
    const saved = await call('/v1/agents/tagged/items', { body });
    const path = saved.headers.get('location') ?? '';
    const tag = saved.headers.get('etag') ?? '';
    for (const known of [tag, `W/${tag}`, `"other", W/${tag}`, '*', ` W/"other" ,${tag}`]) {
      const same = await call(path, { headers: { 'if-none-match': known } });
      expect([known, same.status, same.headers.get('etag')]).toEqual([known, 304, tag]);
    }
    for (const other of ['"other"', 'W/"other"', `w/${tag}`, tag.replaceAll('"', '')]) {
      const read = await call(path, { headers: { 'if-none-match': other } });
      expect([other, read.status]).toEqual([other, 200]);
    }
    const gone = { method: 'DELETE', headers: { 'if-match': `W/${tag}` } };
    expect((await call(path, gone)).status).toBe(412);
  });
});

describe('a part of an output that cannot be meant', () => {
  it('is refused, with a pointer where the lines end before they begin, and without a tag', async () => {
    const output = { sessionId: 'o', toolName: 'bash', args: {}, result: 'one\ntwo\nthree' };
    const saved = await call('/v1/outputs', { body: output });
    const path = `/v1/outputs/${String(at(saved.json, 'output.id'))}/text`;
    const turned = await call(`${path}?from=3&to=2`);
    expect([turned.status, at(turned.json, 'errors.0.pointer')]).toEqual([422, '/to']);
    expect((await call(`${path}?from=2&to=2`)).status).toBe(200);
    for (const wrong of ['from=3&to=2', 'jsonPath=%5B', 'pattern=(&regex=true']) {
      const refused = await call(`${path}?${wrong}`);
      expect([wrong, refused.status, refused.headers.get('etag')]).toEqual([wrong, 422, null]);
    }
  });
});

describe("the seed's flash save", () => {
  const path = '/api/agents/flash/context/flash-save';

  it('takes no body, or one without members', async () => {
    expect((await call(path, { method: 'POST' })).status).toBe(200);
    expect((await call(path, { body: {} })).status).toBe(200);
  });

  it.each([{ label: 'x' }, [], '7', '"x"'])('refuses %j', async (body) => {
    const refused = await call(path, { body });
    expect([refused.status, at(refused.json, 'errors.0.pointer')]).toEqual([422, '']);
  });
});

describe('an item that is too large', () => {
  it('is refused with the limit, and one at the limit is saved although its JSON is larger', async () => {
    const save = (content: string) =>
      call('/v1/agents/large/items', { body: { kind: 'TASK', content } });
    expect((await save('"'.repeat(1_048_576))).status).toBe(201);
    const refused = await save('"'.repeat(1_048_577));
    expect([refused.status, at(refused.json, 'code')]).toEqual([413, 'CTX_TOO_LARGE']);
    expect(at(refused.json, 'detail')).toContain('1048576 bytes at most; save it as an output');
  });
});
