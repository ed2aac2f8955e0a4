import { readFileSync, writeFileSync } from 'node:fs';
import * as fc from 'fast-check';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../test-support/start-server.ts';
import { type CtxClient, createClient } from './create-client.ts';

const head = [
  '/* eslint-disable -- generated from /openapi.json: CTX_WRITE_CLIENT=1 npx vitest run apps/server/src/client */',
  '// biome-ignore-all format: generated',
  '',
  '',
].join('\n');

/** Beside the source, also where the compiled test runs. */
const file = new URL('../../src/client/api.ts', import.meta.url);

let server: RunningServer;
let client: CtxClient;

beforeAll(async () => {
  server = await startServer();
  client = createClient({ url: server.url, key: await server.key('write') });
});
afterAll(() => server.stop());

describe('the generated client', () => {
  it('is up to date with the document of the server', async () => {
    const { text } = await server.call('/openapi.json', { key: await server.key('read') });
    const nodes = await openapiTS(text, { alphabetize: true });
    const types = head + astToString(nodes);
    if (process.env['CTX_WRITE_CLIENT'] === '1') writeFileSync(file, types);
    expect(readFileSync(file, 'utf8')).toBe(types);
  });

  it('saves, lists, reads in parts and prepares, with the types of the routes', async () => {
    const path = { agent_id: 'ada' };
    const saved = await client.POST('/api/agents/{agent_id}/context/save', {
      params: { path },
      body: { item_type: 'TASK', content: 'Port the parser' },
    });
    expect(saved.data?.tier).toBe('HOT');
    const listed = await client.GET('/api/agents/{agent_id}/context', {
      params: { path, query: { tier: 'HOT', limit: 10 } },
    });
    expect(listed.data?.items.map(({ id }) => id)).toEqual([saved.data?.item_id]);
    const output = await client.POST('/v1/outputs', {
      body: { sessionId: 's', toolName: 'bash', args: {}, result: 'one\ntwo\nthree' },
    });
    const id = output.data?.output.id ?? '';
    const part = await client.GET('/v1/outputs/{output}/text', {
      params: { path: { output: id }, query: { from: 2, to: 2 } },
    });
    expect(part.data?.text).toBe('two');
    const prepared = await client.POST('/v1/sessions/{session}/prepare', {
      params: { path: { session: 's' } },
      body: { format: 'openai-chat', messages: [{ role: 'user', content: 'hello' }] },
    });
    expect(prepared.data?.receipt.fits).toBe(true);
  });

  it('gives failures as problems', async () => {
    const { error, response } = await client.GET('/v1/sessions/{session}', {
      params: { path: { session: 'nobody' } },
    });
    expect(response.status).toBe(404);
    expect(error?.title).toBe('Not found');
  });

  it('takes any id there and back (S16)', async () => {
    const ids = fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' });
    await fc.assert(
      fc.asyncProperty(ids, async (id) => {
        fc.pre(!id.includes('\0'));
        const params = { path: { agent: id } };
        const body = { kind: 'TASK', content: 'x', id };
        const saved = await client.POST('/v1/agents/{agent}/items', { params, body });
        expect(saved.response.status).toBe(201);
        const one = await client.GET('/v1/agents/{agent}/items/{item}', {
          params: { path: { agent: id, item: id } },
        });
        expect([one.data?.item.agentId, one.data?.item.id]).toEqual([id, id]);
      }),
      { numRuns: 50, examples: [['../x'], ['a/b'], ['%2f'], ['~'], ['CON'], ['é✓'], ['*']] },
    );
  });
});
