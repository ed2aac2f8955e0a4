import { Buffer } from 'node:buffer';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { afterEach, expect, it } from 'vitest';
import { anthropicStream, longRefusal } from '../test-support/loopback-provider.ts';
import { headers, large, ok, opened, start } from '../test-support/proxied-place.ts';
import { bodyOf, messagesAfter } from '../test-support/scripted-agent.ts';
import { proxyFetch } from './proxy-fetch.ts';
import { serveProxy } from './serve-proxy.ts';

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const body = bodyOf(messagesAfter([large]));

it('shapes the requests of a program that runs behind a proxy, which passes them on', async () => {
  const { provider, listening } = await start(ok);
  const outer = await serveProxy({ store: await openStore(memoryBackend()) });
  outer.upstreams = { anthropic: provider.url, openai: provider.url, gemini: provider.url };
  opened.push({ close: () => outer.stop() });
  const follow = proxyFetch({ proxy: listening.proxy });
  await follow(`${outer.url}/v1/messages`, { method: 'POST', headers, body });
  expect(outer.proxy.totals()).toMatchObject({ requests: 0, passed: 1 });
  expect(listening.proxy.totals()).toMatchObject({ requests: 1, shaped: 1 });
  expect(JSON.stringify(provider.received[0]?.headers)).not.toContain('ctx');
});

function abortable() {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    abort: () => {
      controller.abort();
    },
  };
}

/** A `fetch` that goes through a proxy, the provider behind it, and what the proxy says. */
async function place() {
  const lines: string[] = [];
  const { provider, listening } = await start(ok, { onFailure: (line) => void lines.push(line) });
  const { proxy } = listening;
  const url = new URL('/v1/messages', provider.url);
  return { provider, proxy, lines, url, fetch: proxyFetch({ proxy }) };
}

/** A body that no proxy can read before it is sent. */
const streamed = (): RequestInit => ({
  method: 'POST',
  headers,
  body: new Blob([body]).stream(),
  duplex: 'half',
});

it.each(['cancelled', 'aborted'])(
  'an answer that is %s in the middle counts what it told',
  async (end) => {
    const usage = { input_tokens: 5, cache_read_input_tokens: 100 };
    const text = anthropicStream('Hello', usage);
    const { provider, listening } = await start((_received, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(text.slice(0, 300));
    });
    const { proxy } = listening;
    const { signal, abort } = abortable();
    const init = { method: 'POST', headers, body, signal };
    const answer = await proxyFetch({ proxy })(new URL('/v1/messages', provider.url), init);
    const reader = answer.body?.getReader();
    await reader?.read();
    if (end === 'aborted') {
      abort();
      await expect(reader?.read()).rejects.toThrow('abort');
    } else await reader?.cancel();
    await expect.poll(() => proxy.totals().inputTokens, { timeout: 60_000 }).toBe(105);
  },
);

it.each([
  ['gzip', gzipSync(body)],
  ['br', brotliCompressSync(body)],
])('shapes a request that is encoded as %s, which goes out plain', async (coding, packed) => {
  const { fetch, provider, url } = await place();
  const given = { ...headers, 'content-encoding': coding };
  await (await fetch(url, { method: 'POST', headers: given, body: packed })).text();
  const [first] = provider.received;
  expect(first?.headers['content-encoding']).toBeUndefined();
  expect(first?.body.toString()).toContain('ctx read ctx://outputs/');
  expect(first?.body.length).toBeLessThan(body.length / 4);
});

it('sends an encoded request that is not changed in the bytes that came', async () => {
  const { fetch, provider, url } = await place();
  const small = gzipSync(bodyOf(messagesAfter([])));
  const given = { ...headers, 'content-encoding': 'gzip' };
  await (await fetch(url, { method: 'POST', headers: given, body: small })).text();
  expect(provider.received[0]?.body.equals(small)).toBe(true);
  expect(provider.received[0]?.headers['content-encoding']).toBe('gzip');
});

const bytes: ArrayBuffer = new Uint8Array(Buffer.from(body)).buffer;

it.each([
  ['a Request', (url: URL) => new Request(url, { method: 'POST', headers, body }), undefined],
  ['an ArrayBuffer', (url: URL) => url, { method: 'POST', headers, body: bytes }],
])('shapes what comes as %s', async (_name, asked, init) => {
  const { fetch, provider, url } = await place();
  await (await fetch(asked(url), init)).text();
  expect(provider.received[0]?.headers['x-claude-code-session-id']).toBe('s');
  expect(provider.received[0]?.body.toString()).toContain('ctx read ctx://outputs/');
});

it('passes on what it cannot read, counts it, and says why', async () => {
  const { fetch, provider, proxy, lines, url } = await place();
  const unknown = { ...headers, 'content-encoding': 'snappy' };
  await (await fetch(url, { method: 'POST', headers: unknown, body })).text();
  await (await fetch(url, streamed())).text();
  expect(provider.received.map((one) => one.body.toString())).toEqual([body, body]);
  expect(proxy.totals()).toMatchObject({ requests: 0, passed: 2 });
  expect(lines).toEqual([
    expect.stringMatching(/encoded as snappy, .* passed on as it came/),
    expect.stringMatching(/streams its body: it is passed on as it came/),
  ]);
});

it('hands on a refusal that is too long to be looked at as it comes', async () => {
  const { answer: refuse, end, whole } = longRefusal();
  const { provider, listening } = await start(refuse);
  const follow = proxyFetch({ proxy: listening.proxy });
  const url = new URL('/v1/messages', provider.url);
  const answer = await follow(url, { method: 'POST', headers, body });
  expect(answer.status).toBe(400);
  end();
  expect(whole.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
  expect(provider.received).toHaveLength(1);
});

it('sends a refused request once as the program wrote it, and hands on a refusal of that', async () => {
  const { provider, listening } = await start((_received, response) => {
    response.writeHead(400).end('{"error":{"message":"unexpected content"}}');
  });
  const follow = proxyFetch({ proxy: listening.proxy });
  const url = new URL('/v1/messages', provider.url);
  const answer = await follow(url, { method: 'POST', headers, body });
  expect([answer.status, await answer.text()]).toEqual([
    400,
    '{"error":{"message":"unexpected content"}}',
  ]);
  expect(provider.received.map((one) => one.body.toString() === body)).toEqual([false, true]);
});

it('leaves a Request of another path as it is, and counts it', async () => {
  const { fetch, provider, proxy, url } = await place();
  const counting = new URL('/v1/messages/count_tokens', url);
  await (await fetch(new Request(counting, { method: 'POST', headers, body }))).text();
  await (await fetch(counting, { method: 'POST', headers, body })).text();
  expect(provider.received.map((one) => one.body.toString())).toEqual([body, body]);
  expect(proxy.totals()).toMatchObject({ requests: 0, passed: 2 });
});
