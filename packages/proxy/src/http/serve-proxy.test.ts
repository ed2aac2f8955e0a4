import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { testStore } from '../test-support/anthropic-conversation.ts';
import { loopbackProvider } from '../test-support/loopback-provider.ts';
import { ok, opened } from '../test-support/proxied-place.ts';
import { serveProxy } from './serve-proxy.ts';

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

it('tells no agent when its connection ends: a request that comes later than Node would wait is not lost', async () => {
  const provider = await loopbackProvider(ok);
  const serving = await serveProxy({ store: await testStore() });
  opened.push({ close: () => serving.stop() }, provider);
  const { url } = provider;
  serving.upstreams = { anthropic: url, openai: url, gemini: url };
  const answer = await fetch(`${serving.url}/v1/messages`, { method: 'POST', body: '{}' });
  await answer.text();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('keep-alive')).toBeNull();
});

it('serves on when clients that want a websocket are gone before they are answered', async () => {
  const serving = await serveProxy({ store: await testStore() });
  opened.push({ close: () => serving.stop() });
  const provider = await loopbackProvider(ok);
  opened.push(provider);
  const { url } = provider;
  serving.upstreams = { anthropic: url, openai: url, gemini: url };
  const upgrade = 'GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n';
  for (const _client of Array.from({ length: 50 })) {
    const socket = connect(serving.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(upgrade, () => socket.resetAndDestroy());
    await once(socket, 'close');
  }
  expect((await fetch(`${serving.url}/`, { method: 'HEAD' })).status).toBe(200);
});
