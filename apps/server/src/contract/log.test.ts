import { memoryBackend, type StoreBackend } from '@ctx/store/backend';
import { expect, it } from 'vitest';
import { secretOf } from '../test-support/secret-of.ts';
import { at, startServer } from '../test-support/start-server.ts';

/** Made at run time, so that no scanner takes this file for a leak. */
const secret = ['sk', 'ant', 'api03', 'x'.repeat(20)].join('-');
const words = 'crimson-lighthouse';

/** A store in memory whose counts fail, with a message that nobody outside may see. */
function failingCounts(): StoreBackend {
  return {
    ...memoryBackend(),
    tally: () => Promise.reject(new Error('the disk is gone')),
  };
}

async function loggingServer(backend: StoreBackend) {
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const server = await startServer({ backend, logLevel: 'debug', logStream });
  return { server, lines };
}

it('the log of a server at work names paths and statuses, and holds no key, no content, no word (S23)', async () => {
  const { server, lines } = await loggingServer(memoryBackend());
  const key = await server.key('admin');
  const call = (path: string, options = {}) => server.call(path, { key, ...options });
  const content = `${words} ${secret}`;
  const saved = await call('/v1/agents/a/items', { body: { kind: 'TASK', content } });
  await call(`/v1/agents/a/items/search?q=${words}`);
  await call(`/v1/agents/a/items/${String(at(saved.json, 'item.id'))}?${words}=1`);
  await call('/v1/outputs', {
    body: { sessionId: 's', toolName: 'bash', args: { words }, result: content },
    headers: { 'idempotency-key': words },
  });
  await call('/v1/sessions/s/prepare', {
    body: { format: 'openai-chat', messages: [{ role: 'user', content }] },
  });
  await call('/v1/outputs/search', { body: { query: words } });
  const made = await call('/v1/keys', { body: { scope: 'read', label: 'l' } });
  await server.call('/v1/sessions', { key: `ctx_${'0'.repeat(16)}_${words}` });
  await call('/v1/agents/a/items', { body: `{"kind": ${content}` });
  await call('/v1/agents/a/items', { body: { kind: content.repeat(90), content } });
  await call('/nowhere', { headers: { origin: `https://${words}.example`, cookie: words } });
  await server.stop();
  const log = lines.join('');
  expect(lines.length).toBeGreaterThan(20);
  expect(log).toContain('/v1/agents/a/items/search');
  expect(log).toContain('"statusCode":401');
  for (const hidden of [words, secret, key, secretOf(key), at(made.json, 'text'), 'Bearer']) {
    expect([hidden, log.includes(String(hidden))]).toEqual([hidden, false]);
  }
});

it('a failure of the store is in the log, and its request without its words (S23)', async () => {
  const { server, lines } = await loggingServer(failingCounts());
  const key = await server.key('read');
  const answer = await server.call(`/v1/agents/a/items/stats?`, { key });
  expect(answer.status).toBe(500);
  expect(answer.text).not.toContain('gone');
  await server.call(`/v1/agents/a/items?kind=${words}`, { key });
  await server.stop();
  expect(lines.join('')).toContain('the disk is gone');
  expect(lines.join('')).not.toContain(words);
});
