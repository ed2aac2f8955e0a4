import { Buffer } from 'node:buffer';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { memoryBackend } from '@ctx/store/backend';
import { afterEach, expect, it } from 'vitest';
import { startServer } from '../test-support/start-server.ts';

interface Received {
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

const opened: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.stop();
});

/** A provider on loopback, which answers everything. */
async function startProvider() {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url = '', headers } = request;
      received.push({ url, headers, body: Buffer.concat(chunks) });
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"usage":{"input_tokens":10,"output_tokens":3}}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  opened.push({ stop });
  return { url: new URL(`http://127.0.0.1:${String(port)}`), received };
}

async function start() {
  const provider = await startProvider();
  const lines: string[] = [];
  const server = await startServer({
    backend: memoryBackend(),
    proxy: { upstreams: { anthropic: provider.url, openai: provider.url } },
    logLevel: 'debug',
    logStream: { write: (line) => void lines.push(line) },
  });
  opened.push(server);
  return { provider, server, lines };
}

const log = Array.from({ length: 2000 }, (_, line) => `line ${String(line)} of it`).join('\n');

const body = JSON.stringify({
  model: 'claude-sonnet-4-5',
  messages: [
    { role: 'user', content: 'Do the chores.' },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'make' } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: log }] },
  ],
  tools: [{ name: 'Bash', input_schema: { type: 'object' } }],
  max_tokens: 1000,
});

function ask(
  base: string,
  given: string | Uint8Array<ArrayBuffer> = body,
  more: Record<string, string> = {},
) {
  const headers = {
    'content-type': 'application/json',
    'x-api-key': 'key-of-the-provider',
    'x-claude-code-session-id': 'one',
    'idempotency-key': 'once',
    ...more,
  };
  return fetch(`${base}/v1/messages?beta=true`, { method: 'POST', headers, body: given });
}

it('an agent whose path holds a key is shaped into a session of the tenant of that key', async () => {
  const { provider, server, lines } = await start();
  const [a, b] = [await server.key('write', 'a'), await server.key('write', 'b')];
  const answer = await ask(`${server.url}/t/${a}`);
  expect([answer.status, await answer.text()]).toEqual([
    200,
    '{"usage":{"input_tokens":10,"output_tokens":3}}',
  ]);
  await (
    await ask(`${server.url}/t/${a}`, new Uint8Array(gzipSync(body)), {
      'content-encoding': 'gzip',
    })
  ).text();
  const [sent, again] = provider.received;
  expect(sent?.url).toBe('/v1/messages?beta=true');
  expect(sent?.headers).toMatchObject({ 'x-api-key': 'key-of-the-provider' });
  expect(sent?.body.length).toBeLessThan(body.length / 2);
  expect(again?.body).toEqual(sent?.body);
  const sessionsOf = async (tenant: string) =>
    (await (await server.stores.store(tenant)).sessions.list()).entries.length;
  expect([await sessionsOf('a'), await sessionsOf('b')]).toEqual([1, 0]);
  await (await ask(`${server.url}/t/${b}`)).text();
  expect([await sessionsOf('a'), await sessionsOf('b')]).toEqual([1, 1]);
  for (const key of [a, b]) {
    expect(lines.join('')).not.toContain(key);
    expect(JSON.stringify(provider.received)).not.toContain(key);
  }
});

it('a key may say where its requests go', async () => {
  const { provider, server } = await start();
  const other = await startProvider();
  const upstreams = { anthropic: `${other.url.href}gateway/` };
  const { text } = await server.stores.keys.create({ tenant: 'a', scope: 'write', upstreams });
  await (await ask(`${server.url}/t/${text}`)).text();
  expect(provider.received).toEqual([]);
  expect(other.received.map(({ url }) => url)).toEqual(['/gateway/v1/messages?beta=true']);
});

it('the key goes to no provider, however its place in the path is written', async () => {
  const { provider, server } = await start();
  const key = await server.key('write');
  for (const place of ['t', '%74']) {
    const answer = await fetch(`${server.url}/${place}/${key}/v1/models?a=b`);
    expect(answer.status).toBe(200);
  }
  expect(provider.received.map(({ url }) => url)).toEqual(['/v1/models?a=b', '/v1/models?a=b']);
});

it('whoever has no key that may write reaches no provider', async () => {
  const { provider, server } = await start();
  const wrong = await ask(`${server.url}/t/ctx_0123456789abcdef_${'x'.repeat(43)}`);
  const reader = await ask(`${server.url}/t/${await server.key('read')}`);
  const bearer = { authorization: `Bearer ${await server.key('write')}` };
  const inHeader = await ask(`${server.url}/t/none`, body, bearer);
  expect([wrong.status, reader.status, inHeader.status]).toEqual([401, 403, 401]);
  expect(provider.received).toEqual([]);
});

it('everything else of a provider passes byte for byte, and an upgrade is answered 426', async () => {
  const { provider, server } = await start();
  const base = `${server.url}/t/${await server.key('write')}`;
  const bytes = Buffer.from([0, 255, 1, 254]);
  const put = await fetch(`${base}/v1/files/a?b=c`, { method: 'PUT', body: bytes });
  const head = await fetch(`${base}/`, { method: 'HEAD' });
  expect([put.status, head.status]).toEqual([200, 200]);
  expect(provider.received.map(({ url }) => url)).toEqual(['/v1/files/a?b=c', '/']);
  expect(provider.received[0]?.body).toEqual(bytes);
  const { pathname, port, host } = new URL(`${base}/v1/responses`);
  const socket = connect(Number(port), '127.0.0.1');
  const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13';
  const key = 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==';
  socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\n${upgrade}\r\n${key}\r\n\r\n`);
  const said = await new Promise<string>((resolve) => {
    socket.once('data', (chunk: Buffer) => {
      resolve(chunk.toString());
    });
  });
  socket.destroy();
  expect(said.split('\r\n')[0]).toMatch(/^HTTP\/1\.1 426 /);
});
