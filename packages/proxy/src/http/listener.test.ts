import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  anthropicStream,
  type LoopbackProvider,
  listeningProxy,
  longRefusal,
  loopbackProvider,
  testToken,
} from '../test-support/loopback-provider.ts';
import { headers, large, ok, opened, post, start } from '../test-support/proxied-place.ts';
import { bodyOf, messagesAfter, type Step } from '../test-support/scripted-agent.ts';
import { serveProxy } from './serve-proxy.ts';
import { defaultUpstreams } from './upstreams.ts';

/** `npm test` tries every eighth place, the campaign all of them. */
const isCampaign = process.env['CTX_TEST_CAMPAIGN'] === '1';
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

it('refuses the token of a ChatGPT login, which belongs to another host', async () => {
  const store = await openStore(memoryBackend());
  const listening = await listeningProxy(defaultUpstreams.openai, { store });
  opened.push(listening);
  const login = { 'chatgpt-account-id': 'a', authorization: 'Bearer dummy' };
  const answer = await fetch(`${listening.base}/v1/responses`, { method: 'POST', headers: login });
  expect(answer.status).toBe(403);
  expect(await answer.text()).toContain('use an API key');
});

it('takes another connection if the provider closed one that rested, as providers do after some seconds', async () => {
  const used = new WeakSet<Socket>();
  const closes: Answer = (received, response, count) => {
    const { socket } = response;
    if (socket === null || used.has(socket)) socket?.resetAndDestroy();
    else ok(received, response, count);
    if (socket !== null) used.add(socket);
  };
  const { provider, listening } = await start(closes);
  const body = bodyOf(messagesAfter([]));
  for (const _again of [1, 2, 3]) expect((await post(listening.base, body)).status).toBe(200);
  expect((await fetch(`${listening.base}/`, { method: 'HEAD' })).status).toBe(200);
  const counting = { method: 'POST', body: '{}' };
  const counted = await fetch(`${listening.base}/v1/messages/count_tokens`, counting);
  expect(counted.status).toBe(200);
  expect(provider.received.length).toBeGreaterThan(5);
  expect(listening.proxy.totals()).toMatchObject({ requests: 3, passed: 2, failedOpen: 0 });
});

it('passes on what another proxy sends, which shaped it, and tells the provider nothing of that', async () => {
  const store = await openStore(memoryBackend());
  const provider = await loopbackProvider(ok);
  const outer = await serveProxy({ store });
  const toProvider = { anthropic: provider.url, openai: provider.url, gemini: provider.url };
  outer.upstreams = toProvider;
  const url = new URL(outer.url);
  const inner = await listeningProxy(url, { store });
  opened.push(inner, provider, { close: () => outer.stop() });
  const steps: Step[] = [];
  for (const _turn of Array.from({ length: 4 })) {
    steps.push(large);
    await post(inner.base, bodyOf(messagesAfter(steps)));
  }
  const alone = await start(ok);
  for (const [turn] of steps.entries()) {
    await post(alone.listening.base, bodyOf(messagesAfter(steps.slice(0, turn + 1))));
  }
  const textsOf = ({ received }: LoopbackProvider) =>
    received.map(({ body }) => body.toString().replaceAll(/_\d{13}_/g, '_'));
  expect(textsOf(provider)).toEqual(textsOf(alone.provider));
  for (const one of provider.received) expect(JSON.stringify(one.headers)).not.toContain('ctx');
  expect(inner.proxy.totals()).toMatchObject({ requests: 4, passed: 0 });
  expect(outer.proxy.totals()).toMatchObject({ requests: 0, passed: 4 });
  expect(outer.proxy.sessions()).toEqual([]);
});

describe('what is no conversation', () => {
  it('passes byte for byte: method, path, body, keys', async () => {
    const { provider, listening } = await start(ok);
    const answer = await fetch(`${listening.base}/v1/messages/count_tokens?beta=true`, {
      method: 'POST',
      headers: { 'x-api-key': 'dummy', 'anthropic-beta': 'a,b' },
      body: '{ "odd" : [1.0] }',
    });
    expect(await answer.text()).toContain('"input_tokens":10');
    expect(answer.headers.get('x-ratelimit')).toBe('7');
    const [first] = provider.received;
    expect(first).toMatchObject({ method: 'POST', url: '/v1/messages/count_tokens?beta=true' });
    expect(first?.body.toString()).toBe('{ "odd" : [1.0] }');
    expect(first?.headers).toMatchObject({ 'x-api-key': 'dummy', 'anthropic-beta': 'a,b' });
    expect(first?.headers.host).toBe(provider.url.host);
    const head = await fetch(`${listening.base}/`, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(provider.received[1]).toMatchObject({ method: 'HEAD', url: '/' });
  });

  it('is a broken body, too: it goes on as it came', async () => {
    const { provider, listening } = await start(ok);
    await post(listening.base, '{"messages":[');
    await post(listening.base, Uint8Array.of(0x7b, 0xff, 0x7d));
    expect(provider.received.map(({ body }) => body.toString('latin1'))).toEqual([
      '{"messages":[',
      '{\u00ff}',
    ]);
    expect(listening.proxy.totals()).toMatchObject({ requests: 0, passed: 2 });
  });

  it.each([
    ['a conversation', '/v1/messages', 'POST'],
    ['another path', '/v1/models', 'GET'],
    ['a head', '/', 'HEAD'],
  ])(
    'keeps the bytes of headers that are not ASCII, both ways: %s',
    async (_name, path, method) => {
      const odd = { 'x-latin': 'caf\u00e9', 'x-utf8': Buffer.from('日本').toString('latin1') };
      const { provider, listening } = await start((_received, response) => {
        response.writeHead(200, 'tr\u00e8s bien', odd);
        response.write(Buffer.from('{'));
        response.addTrailers({ 'x-end': odd['x-utf8'] });
        response.end('}');
      });
      const asked = httpRequest(listening.base + path, { method, headers: { ...headers, ...odd } });
      asked.end(Buffer.from(method === 'POST' ? bodyOf(messagesAfter([])) : ''));
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      await answer.toArray();
      expect(answer.statusMessage).toBe('tr\u00e8s bien');
      expect(answer.headers).toMatchObject(odd);
      expect(answer.trailers).toEqual(method === 'HEAD' ? {} : { 'x-end': odd['x-utf8'] });
      expect(provider.received[0]?.headers).toMatchObject(odd);
    },
  );

  it('is an upgrade: it is answered 426 at once', async () => {
    const { listening } = await start(ok);
    const socket = connect(Number(new URL(listening.origin).port), '127.0.0.1');
    socket.write(
      `GET /t/${testToken}/v1/responses HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n`,
    );
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 426 /);
  });
});

describe('a request of a conversation', () => {
  const body = bodyOf(messagesAfter([large]));

  it('that is nested as deep as no tool’s input is goes out as it came, unshaped', async () => {
    const lines: string[] = [];
    const onFailure = (line: string, error: unknown) =>
      void lines.push(`${line}: ${String(error)}`);
    const { provider, listening } = await start(ok, { onFailure });
    for (const [depth, passed] of [
      [100, 0],
      [100_000, 1],
    ] as const) {
      const deep = `"input":{"x":${'['.repeat(depth)}${']'.repeat(depth)},`;
      const nested = body.replace('"input":{', deep);
      await post(listening.base, nested);
      expect(provider.received.at(-1)?.body.toString() === nested).toBe(passed === 1);
      expect(listening.proxy.totals()).toMatchObject({ requests: 1, passed });
    }
    expect(lines).toEqual([
      expect.stringMatching(/as it came: .*nested more than 200 levels deep/),
    ]);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('is shaped, also where it comes in %s', async (coding, encode) => {
    const { provider, listening } = await start(ok);
    await (await post(listening.base, encode(body), { 'content-encoding': coding })).text();
    const [first] = provider.received;
    expect(first?.headers['content-encoding']).toBeUndefined();
    expect(first?.body.toString()).toContain('ctx read ctx://outputs/');
    expect(first?.body.length).toBeLessThan(body.length / 4);
  });

  it('that is not changed goes out in the bytes that came', async () => {
    const { provider, listening } = await start(ok);
    const bytes = gzipSync(bodyOf(messagesAfter([])));
    await (await post(listening.base, bytes, { 'content-encoding': 'gzip' })).text();
    expect(provider.received[0]?.body.equals(bytes)).toBe(true);
  });

  it('is not changed by a proxy that watches, which counts all the same', async () => {
    const { provider, listening } = await start(ok, { watch: true });
    await (await post(listening.base, body)).text();
    expect(provider.received[0]?.body.toString()).toBe(body);
    expect(listening.proxy.totals()).toMatchObject({ requests: 1, inputTokens: 10, shaped: 0 });
  });

  it('that the provider refuses is sent once as the client wrote it, and the conversation is left alone from then on', async () => {
    const { provider, listening } = await start((received, response) => {
      const isShaped = received.body.includes('ctx read');
      response.writeHead(isShaped ? 400 : 200, { 'content-type': 'application/json' });
      response.end(isShaped ? '{"error":{"message":"unexpected content"}}' : '{}');
    });
    expect((await post(listening.base, body)).status).toBe(200);
    expect(provider.received[1]?.body.toString()).toBe(body);
    expect((await post(listening.base, body)).status).toBe(200);
    expect(provider.received).toHaveLength(3);
    expect(provider.received[2]?.body.toString()).toBe(body);
  });

  it('that is too long is sent once with less, then the error is the client’s', async () => {
    const steps = Array.from({ length: 60 }, (_, index): Step => {
      return {
        tool: 'Read',
        input: { file_path: `/a${String(index)}` },
        result: `${String(index)} word `.repeat(1500),
      };
    });
    const message = 'prompt is too long: 215000 tokens > 100000 maximum';
    const error = JSON.stringify({
      type: 'error',
      error: { type: 'invalid_request_error', message },
    });
    const { provider, listening } = await start((_received, response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end(error);
    });
    const answer = await post(listening.base, bodyOf(messagesAfter(steps)));
    expect(answer.status).toBe(400);
    expect(await answer.text()).toBe(error);
    expect(provider.received).toHaveLength(2);
    const [first, second] = provider.received;
    expect(second?.body.length).toBeLessThan((first?.body.length ?? 0) / 1.5);
  });

  it.each([401, 403, 404, 429, 500, 529])(
    'answered %d brings that answer, with its headers, once',
    async (status) => {
      const { provider, listening } = await start((_received, response) => {
        response
          .writeHead(status, { 'retry-after': '17', 'x-should-retry': 'true' })
          .end('{"error":"so it is"}');
      });
      const answer = await post(listening.base, body);
      expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([
        status,
        '17',
        '{"error":"so it is"}',
      ]);
      expect(provider.received).toHaveLength(1);
    },
  );

  it('is refused at length: what is too long to be looked at is passed on as it comes', async () => {
    const { answer: refuse, end, whole } = longRefusal();
    const { provider, listening } = await start(refuse);
    const answer = await post(listening.base, body);
    expect(answer.status).toBe(400);
    end();
    expect(whole.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
    expect(provider.received).toHaveLength(1);
  });

  it('is answered at a length that is told, whatever trailers are announced', async () => {
    const { listening } = await start((_received, response) => {
      response.socket?.end('HTTP/1.1 200 X\r\ntrailer: x-end\r\ncontent-length: 2\r\n\r\n{}');
    });
    const answer = await post(listening.base, body);
    expect([answer.status, await answer.text()]).toEqual([200, '{}']);
  });

  it('is answered 502 if the provider changes the protocol', async () => {
    const { listening } = await start((_received, response) => {
      response.socket?.write('HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
    });
    const answer = await post(listening.base, body);
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain('changed the protocol');
  });

  it('is redirected to nowhere: the client gets the redirect', async () => {
    const { provider, listening } = await start((_received, response) => {
      response.writeHead(307, { location: 'http://127.0.0.1:9/steal' }).end();
    });
    const url = `${listening.base}/v1/messages`;
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' });
    expect(answer.status).toBe(307);
    expect(provider.received).toHaveLength(1);
  });
});

describe('a stream', () => {
  const text = anthropicStream('Grüße 👋', { input_tokens: 5, cache_read_input_tokens: 100 });

  it('comes through byte for byte and is understood, wherever it is split', async () => {
    const bytes = Buffer.from(text);
    const splits = [...bytes.keys()].filter((place) => isCampaign || place % 8 === 0);
    const { listening } = await start((_received, response, count) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(bytes.subarray(0, splits[count]));
      setImmediate(() => response.end(bytes.subarray(splits[count])));
    });
    const body = bodyOf(messagesAfter([]));
    for (let request = 0; request < splits.length; request += 1) {
      const answer = await post(listening.base, body);
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    }
    await listening.proxy.close();
    expect(listening.proxy.totals()).toMatchObject({
      requests: splits.length,
      inputTokens: 105 * splits.length,
    });
  });

  it('in gzip is passed on as it is, and understood', async () => {
    const { listening } = await start((_received, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      response.end(gzipSync(text));
    });
    const answer = await post(listening.base, bodyOf(messagesAfter([])));
    expect(await answer.text()).toBe(text);
    await listening.proxy.close();
    expect(listening.proxy.totals().inputTokens).toBe(105);
  });

  it('that is still being unpacked when the proxy closes counts', async () => {
    const packed = gzipSync(`${`: ${'wait '.repeat(2000)}\n\n`.repeat(4000)}${text}`);
    const { listening } = await start((_received, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      response.end(packed);
    });
    const [answer] = (await once(
      httpRequest(`${listening.base}/v1/messages`, { method: 'POST', headers }).end(
        bodyOf(messagesAfter([])),
      ),
      'response',
    )) as [IncomingMessage];
    // The client takes the bytes as they come, and is done before they are unpacked.
    expect(Buffer.concat(await answer.toArray())).toEqual(packed);
    await listening.proxy.close();
    expect(listening.proxy.totals().inputTokens).toBe(105);
  });

  it('that is cut off is cut off for the client', async () => {
    const { listening } = await start((_received, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(text.slice(0, 200), () => response.destroy());
    });
    const answer = await post(listening.base, bodyOf(messagesAfter([])));
    await expect(answer.text()).rejects.toThrow();
  });

  it('that is cut off on a connection that was used before is asked for once', async () => {
    const { provider, listening } = await start((received, response, count) => {
      if (count !== 1) {
        ok(received, response, count);
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(text.slice(0, 200));
      setTimeout(() => response.socket?.resetAndDestroy(), 50);
    });
    const body = bodyOf(messagesAfter([]));
    await (await post(listening.base, body)).text();
    await expect((await post(listening.base, body)).text()).rejects.toThrow();
    await (await post(listening.base, body)).text();
    // The one that was reset, and the one of the last request.
    expect(provider.connections()).toBe(2);
    expect(provider.received).toHaveLength(3);
  });

  it.each([
    ['as it is', (begun: string) => begun],
    ['packed', (begun: string) => gzipSync(begun)],
  ])('that the client leaves in the middle counts what it told, %s', async (name, pack) => {
    const begun = pack(text.slice(0, text.indexOf('event: content_block_stop')));
    const coding = name === 'packed' ? { 'content-encoding': 'gzip' } : {};
    const { listening } = await start((_received, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', ...coding }).write(begun);
    });
    const asked = httpRequest(`${listening.base}/v1/messages`, { method: 'POST', headers });
    asked.on('error', () => undefined).end(bodyOf(messagesAfter([])));
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    await once(
      answer.on('error', () => undefined),
      'data',
    );
    asked.destroy();
    await expect.poll(() => listening.proxy.totals().inputTokens, { timeout: 60_000 }).toBe(105);
  });

  it('ends at the provider when the client goes away', async () => {
    let gone: () => void = () => undefined;
    const isGone = new Promise<void>((resolve) => (gone = resolve));
    const { listening } = await start((_received, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: ping\n\n');
      response.on('close', gone);
    });
    const controller = new AbortController();
    const init = {
      method: 'POST',
      headers,
      body: bodyOf(messagesAfter([])),
      signal: controller.signal,
    };
    const answer = await fetch(`${listening.base}/v1/messages`, init);
    expect(answer.status).toBe(200);
    controller.abort();
    await isGone;
  });
});

describe('who may use it', () => {
  it('knows the token: without it nothing reaches the provider', async () => {
    const { provider, listening } = await start(ok);
    for (const path of [
      '/v1/messages',
      '/t/other/v1/messages',
      `/t/${testToken}x/v1/messages`,
      '/',
    ]) {
      expect((await fetch(listening.origin + path, { method: 'POST' })).status).toBe(404);
    }
    expect(provider.received).toHaveLength(0);
  });

  it.each([
    [{ host: 'evil.example' }],
    [{ host: '127.0.0.1' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ 'sec-fetch-site': 'cross-site' }],
  ])('is no web page and calls it by its address: %o is refused', async (more) => {
    const { provider, listening } = await start(ok);
    const request = httpRequest(`${listening.base}/v1/messages`, { method: 'POST', headers: more });
    request.end('{}');
    const [answer] = (await once(request, 'response')) as [{ statusCode: number; resume(): void }];
    answer.resume();
    expect(answer.statusCode).toBe(403);
    expect(provider.received).toHaveLength(0);
  });
});

describe('a provider that cannot be reached', () => {
  it('is answered 502 with the reason', async () => {
    const { provider, listening } = await start(ok);
    await provider.close();
    const answer = await post(listening.base, bodyOf(messagesAfter([])));
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain('could not be reached');
  });
});
