import { serve } from '@ctx/server';
import { memoryBackend } from '@ctx/store/backend';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newClient, resourceText, textOf } from './connect.ts';

let server: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  server = await serve({ backend: memoryBackend(), port: 0 });
});

afterAll(() => server.stop());

async function keyOf(tenant: string, scope: 'read' | 'write' = 'write'): Promise<string> {
  return (await server.stores.keys.create({ tenant, scope })).text;
}

async function start(key: string, path = '/mcp') {
  const client = newClient();
  const headers = { authorization: `Bearer ${key}` };
  const transport = new StreamableHTTPClientTransport(new URL(server.url + path), {
    requestInit: { headers },
  });
  await client.connect(transport);
  return client;
}

async function save(tenant: string, sessionId: string, text: string): Promise<string> {
  const store = await server.stores.store(tenant);
  const { pointer } = await store.outputs.save({
    ...{ sessionId, toolName: 'Bash', args: {}, result: text },
  });
  return `ctx://${sessionId}/${pointer.id}`;
}

describe('a client of version 1 over HTTP', () => {
  it('reads the sessions of its tenant, or the one of its address', async () => {
    const [one, two] = [await save('a', 'one', 'first'), await save('a', 'two', 'second')];
    const key = await keyOf('a');
    const all = await start(key);
    expect(resourceText(await all.readResource({ uri: one }))).toBe('first');
    expect(resourceText(await all.readResource({ uri: two }))).toBe('second');
    const bound = await start(key, '/mcp/one');
    expect(resourceText(await bound.readResource({ uri: one }))).toBe('first');
    await expect(bound.readResource({ uri: two })).rejects.toThrow();
    await all.close();
    await bound.close();
  });

  it('is let in with a key alone, may write only with one that says so, and sees no other tenant', async () => {
    const uri = await save('b', 's', 'theirs');
    await expect(start('ctx_wrong')).rejects.toThrow();
    const reader = await start(await keyOf('c', 'read'), '/mcp/s');
    expect((await reader.listTools()).tools.map(({ name }) => name)).not.toContain('ctx_remember');
    await expect(reader.readResource({ uri })).rejects.toThrow();
    await reader.close();
  });

  it('is one of fifty at the same time, and each gets its own', async () => {
    const key = await keyOf('many');
    const marked = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const session = `s${String(index)}`;
        await save('many', session, `marker ${String(index)} of many`);
        const client = await start(key, `/mcp/${session}`);
        const answer = await client.callTool({
          name: 'ctx_search_outputs',
          arguments: { query: 'marker' },
        });
        await client.close();
        return textOf(answer);
      }),
    );
    for (const [index, text] of marked.entries()) {
      expect(text).toContain(`marker ${String(index)} of many`);
      expect(text.split('\n')).toHaveLength(1);
    }
  });

  it('gets the refusals of the server: another host, no method, a body that nobody can mean', async () => {
    const key = await keyOf('d');
    const call = (init: RequestInit, more: Readonly<Record<string, string>> = {}) =>
      fetch(`${server.url}/mcp`, {
        ...init,
        headers: {
          authorization: `Bearer ${key}`,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...more,
        },
      });
    expect((await call({ method: 'GET' })).status).toBe(405);
    expect((await call({ method: 'POST', body: '{"a":1,"a":2}' })).status).toBe(422);
    const origin = { origin: 'http://localhost.evil.com' };
    expect((await call({ method: 'POST', body: '{}' }, origin)).status).toBe(403);
  });
});
