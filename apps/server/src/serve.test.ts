import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryBackend } from '@ctx/store/backend';
import { sqliteBackend } from '@ctx/store-sqlite';
import { describe, expect, it } from 'vitest';
import { createServer } from './create-server.ts';
import { serve } from './serve.ts';
import { openTenants } from './tenants/open-tenants.ts';

/** How a request ended; anything else is why it was dropped. */
type Outcome = string;

/** Sends one save over a connection that is kept. */
function save(url: string, key: string, agent: Agent): Promise<Outcome> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const address = `${url}/api/agents/a/context/save`;
    const sent = request(address, { method: 'POST', headers, agent }, (response) => {
      response.resume();
      response.on('end', () => {
        resolve(response.statusCode === 200 ? 'answered' : `status ${String(response.statusCode)}`);
      });
      response.on('error', (error) => {
        resolve(`answer broken off: ${error.message}`);
      });
    });
    sent.on('error', (error) => {
      const isRefused = 'code' in error && error.code === 'ECONNREFUSED';
      resolve(isRefused ? 'not let in' : error.message);
    });
    sent.end('{"item_type":"TASK","content":"x"}');
  });
}

describe('a server that is told to stop', () => {
  it('drops no request under load, and every save that was answered is kept (R13)', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ctx-stop-'));
    const path = join(folder, 'ctx.db');
    const server = await serve({
      backend: sqliteBackend({ path }),
      port: 0,
      limits: { maxLagMs: 0 },
    });
    const { text: key } = await server.stores.keys.create({ tenant: 'default', scope: 'write' });
    const agent = new Agent({ keepAlive: true, maxSockets: 32 });
    const outcomes: Outcome[] = [];
    let isOver = false;
    const worker = async (): Promise<void> => {
      while (!isOver) {
        const outcome = await save(server.url, key, agent);
        outcomes.push(outcome);
        if (outcome !== 'answered') return;
      }
    };
    // Every client is in before the load begins: who knocks as the door is closed is not let in, and may try again.
    const first = Array.from({ length: 32 }, () => save(server.url, key, agent));
    outcomes.push(...(await Promise.all(first)));
    const working = Array.from({ length: 32 }, worker);
    while (outcomes.length < 200 && outcomes.every((outcome) => outcome === 'answered'))
      await new Promise(setImmediate);
    await server.stop();
    isOver = true;
    await Promise.all(working);
    agent.destroy();
    const fine = new Set(['answered', 'not let in']);
    expect(outcomes.filter((outcome) => !fine.has(outcome))).toEqual([]);
    const answered = outcomes.filter((outcome) => outcome === 'answered').length;
    const stores = await openTenants(sqliteBackend({ path }));
    const { items } = await (await stores.store('default')).items.stats('a');
    expect(items).toBe(answered);
    await stores.close();
    await rm(folder, { recursive: true });
  });
});

describe('a request that never comes to its end', () => {
  it('does not keep a server from stopping', async () => {
    const server = await serve({
      backend: memoryBackend(),
      port: 0,
      limits: { stopMs: 50, maxLagMs: 0 },
    });
    const { text: key } = await server.stores.keys.create({ tenant: 'default', scope: 'write' });
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': '1000',
    };
    const slow = request(`${server.url}/v1/outputs`, { method: 'POST', headers });
    const ended = new Promise((resolve) => slow.on('error', resolve));
    slow.write('{');
    await fetch(`${server.url}/healthz`);
    await server.stop();
    expect(await ended).toBeInstanceOf(Error);
  });
});

describe('a connection on which nothing ever came', () => {
  it('does not keep a server from stopping', async () => {
    const server = await serve({ backend: memoryBackend(), port: 0, limits: { stopMs: 60_000 } });
    const ahead = connect(server.port, '127.0.0.1');
    await once(ahead, 'connect');
    await fetch(`${server.url}/healthz`);
    const ended = once(ahead, 'close');
    await server.stop();
    await ended;
  });

  it('is one that the server has not read yet: what has come is answered', async () => {
    const stores = await openTenants(memoryBackend());
    const { app } = await createServer({ stores });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const port = Number(new URL(app.listeningOrigin).port);
    const ahead = connect(port, '127.0.0.1');
    await Promise.all([once(app.server, 'connection'), once(ahead, 'connect')]);
    ahead.write(`GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:${String(port)}\r\n\r\n`);
    const answered = once(ahead, 'data').catch((error: unknown) => [error]);
    await app.close();
    expect(String((await answered)[0])).toMatch(/^HTTP\/1.1 200 /);
    await stores.close();
  });
});

describe('serve', () => {
  it('serves without keys on this machine only', async () => {
    const open = { backend: memoryBackend(), access: 'none', host: '0.0.0.0' } as const;
    await expect(serve(open)).rejects.toMatchObject({ code: 'CTX_NOT_ALLOWED' });
  });

  it.each([
    ['a proxy, so that no agent waits for its tables', { proxy: {} }, 1],
    ['no proxy never, so that it starts at once', {}, 0],
  ])('has counted tokens before it listens for %s', async (_, options, expected) => {
    let counts = 0;
    const tokenCounter = (text: string): number => {
      counts += 1;
      return text.length;
    };
    const server = await serve({ backend: memoryBackend(), port: 0, tokenCounter, ...options });
    expect(counts).toBe(expected);
    await server.stop();
  });

  it('says that a port is taken', async () => {
    const first = await serve({ backend: memoryBackend(), port: 0 });
    const second = serve({ backend: memoryBackend(), port: first.port });
    await expect(second).rejects.toMatchObject({ code: 'CTX_INVALID_INPUT' });
    await first.stop();
    await first.stop();
    await expect(fetch(`${first.url}/healthz`)).rejects.toThrow();
  });
});
