import { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import * as zlib from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { headers, large, ok, opened, post, start } from '../test-support/proxied-place.ts';
import { bodyOf, messagesAfter } from '../test-support/scripted-agent.ts';

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const usage = '{"usage":{"input_tokens":10,"output_tokens":3}}';
const body = bodyOf(messagesAfter([large]));

/** What newer versions of Node have. */
const { zstdCompressSync } = zlib as { zstdCompressSync?: (text: string) => Buffer };

describe('what cannot be read', () => {
  const unreadable = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3]);

  it('goes to the provider as it came, counted, and why is said', async () => {
    const lines: string[] = [];
    const onFailure = (line: string): void => void lines.push(line);
    const { provider, listening } = await start(ok, { onFailure });
    const answer = await post(listening.base, unreadable, { 'content-encoding': 'zstd' });
    expect(await answer.text()).toBe(usage);
    const [first] = provider.received;
    expect(first?.body.equals(unreadable)).toBe(true);
    expect(first?.headers['content-encoding']).toBe('zstd');
    expect(listening.proxy.totals()).toMatchObject({ requests: 0, passed: 1 });
    expect(lines).toEqual([expect.stringMatching(/^a request is encoded as zstd, .* as it came$/)]);
  });

  it.skipIf(zstdCompressSync !== undefined)(
    'comes from the provider as it is, and why it is not counted is said',
    async () => {
      const lines: string[] = [];
      const onFailure = (line: string): void => void lines.push(line);
      const answering = (_received: unknown, response: ServerResponse): void => {
        response.writeHead(200, { 'content-encoding': 'zstd' });
        response.end(unreadable);
      };
      const { listening } = await start(answering, { onFailure });
      const answer = await post(listening.base, body);
      expect(Buffer.from(await answer.arrayBuffer()).equals(unreadable)).toBe(true);
      expect(listening.proxy.totals()).toMatchObject({ requests: 1, inputTokens: 0 });
      expect(lines).toEqual([
        expect.stringMatching(/^p\d+: an answer is encoded as zstd, which Node.* not counted$/),
      ]);
    },
  );
});

describe.runIf(zstdCompressSync !== undefined)('zstd, where Node reads it', () => {
  const packed = zstdCompressSync?.(body) ?? Buffer.of();

  it('is shaped', async () => {
    const { provider, listening } = await start(ok);
    await (await post(listening.base, packed, { 'content-encoding': 'zstd' })).text();
    const [first] = provider.received;
    expect(first?.headers['content-encoding']).toBeUndefined();
    expect(first?.body.toString()).toContain('ctx read ctx://outputs/');
    expect(first?.body.length).toBeLessThan(body.length / 4);
  });

  it('that is not changed goes out in the bytes that came', async () => {
    const { provider, listening } = await start(ok);
    const small = zstdCompressSync?.(bodyOf(messagesAfter([]))) ?? Buffer.of();
    await (await post(listening.base, small, { 'content-encoding': 'zstd' })).text();
    expect(provider.received[0]?.body.equals(small)).toBe(true);
    expect(provider.received[0]?.headers['content-encoding']).toBe('zstd');
  });

  it('of an answer is passed on as it is, and understood', async () => {
    const answered = zstdCompressSync?.(usage) ?? Buffer.of();
    const { listening } = await start((_received, response) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-encoding': 'zstd',
      });
      response.end(answered);
    });
    const init = { method: 'POST', headers: { ...headers, 'accept-encoding': 'zstd' }, body };
    const answer = await fetch(`${listening.base}/v1/messages`, init);
    expect(answer.headers.get('content-encoding')).toBe('zstd');
    await answer.arrayBuffer().catch(() => undefined);
    while (listening.proxy.totals().inputTokens === 0) await wait(5);
    expect(listening.proxy.totals().inputTokens).toBe(10);
  });
});
