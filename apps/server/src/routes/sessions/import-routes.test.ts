import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, type RunningServer, startServer } from '../../test-support/start-server.ts';

const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;

const transcript = (answer: string): string =>
  JSON.stringify({
    id: 'imported',
    messages: [
      { role: 'user', content: 'read parser.ts' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'c1', name: 'Read', input: { file_path: 'parser.ts' } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'line 1' }] },
      { role: 'assistant', content: [{ type: 'text', text: answer }] },
    ],
  });

let server: RunningServer;
let key: string;

beforeAll(async () => {
  server = await startServer({ limits: { largeBodyBytes: 20_000 } });
  key = await server.key('write');
});
afterAll(() => server.stop());

const send = (body: object) => server.call('/v1/import', { key, body });

describe('POST /v1/import', () => {
  it('makes a session of a transcript, and says what it found', async () => {
    const { status, json } = await send({ name: 'a.json', content: transcript('It was line 1.') });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      file: 'a.json',
      status: 'imported',
      session: 'imported',
      format: 'anthropic',
      outputs: 1,
    });
    const messages = await server.call('/v1/sessions/imported/messages', { key });
    expect(messages.text).toContain('It was line 1.');
    const again = await send({ name: 'a.json', content: transcript('It was line 1.') });
    expect(at(again.json, 'status')).toBe('unchanged');
  });

  it('takes base64, and takes secrets out', async () => {
    const content = Buffer.from(transcript(`The key is ${secret}.`)).toString('base64');
    const { json } = await send({ name: 'b', content, encoding: 'base64', session: 'other' });
    expect(json).toMatchObject({ status: 'imported', session: 'other' });
    const messages = await server.call('/v1/sessions/other/messages', { key });
    expect(messages.text).not.toContain(secret);
    expect(messages.text).toContain('[redacted: ');
  });

  it('refuses what is no transcript (422), another one in its session (409) and what is too large (413)', async () => {
    const unknown = await send({ name: 'c', content: 'no transcript at all' });
    expect(unknown.status).toBe(422);
    expect(at(unknown.json, 'code')).toBe('CTX_TRANSCRIPT_UNKNOWN_FORMAT');
    const other = { name: 'd', content: transcript('Another answer.'), session: 'other' };
    const taken = await send(other);
    expect(taken.status).toBe(409);
    expect(at(taken.json, 'code')).toBe('CTX_STORE_CONFLICT');
    expect((await send({ name: 'e', content: 'x'.repeat(30_000) })).status).toBe(413);
    expect((await send({ name: 'f', content: '[]', format: 'word' })).status).toBe(422);
  });
});

describe('POST /v1/verify', () => {
  it('finds nothing in a store as it was written, and looks at its own tenant alone', async () => {
    await server.key('write', 'another');
    const admin = await server.key('admin');
    const { status, json } = await server.call('/v1/verify', { key: admin, method: 'POST' });
    expect(status).toBe(200);
    expect(json).toMatchObject({ tenants: 1, problems: 0, left: 0, findings: [] });
    expect(Number(at(json, 'records'))).toBeGreaterThan(5);
  });

  it('names what is wrong and changes nothing', async () => {
    const store = await server.stores.store('default');
    const [pointer] = (await store.outputs.pointers({ sessionId: 'imported' })).entries;
    await store.outputs.delete([{ sessionId: 'imported', id: pointer?.id ?? '' }]);
    const admin = await server.key('admin');
    const ask = () => server.call('/v1/verify', { key: admin, method: 'POST' });
    const { json } = await ask();
    expect(at(json, 'gone.results')).toBe(1);
    expect((await ask()).json).toEqual(json);
  });
});
