import { Buffer } from 'node:buffer';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { ok, opened, post, start } from '../test-support/proxied-place.ts';
import { bodyOf, messagesAfter, type Step } from '../test-support/scripted-agent.ts';

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

describe('a request of a conversation', () => {
  it('of 10 MB goes through', async () => {
    const { provider, listening } = await start(ok);
    const steps = Array.from({ length: 5 }, (): Step => {
      return { tool: 'Bash', input: { command: 'cat big' }, result: 'x y z\n'.repeat(350_000) };
    });
    const answer = await post(listening.base, bodyOf(messagesAfter(steps)));
    expect(answer.status).toBe(200);
    expect(provider.received[0]?.body.length).toBeLessThan(1_000_000);
  });

  it('of more than 64 MB passes as it came, also if its length is not told, and why is said', async () => {
    const lines: string[] = [];
    const { provider, listening } = await start(ok, { onFailure: (line) => lines.push(line) });
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const chunks = function* () {
      for (let count = 0; count < 65; count += 1) yield chunk;
    };
    const streamed = {
      method: 'POST',
      body: Readable.toWeb(Readable.from(chunks())),
      duplex: 'half',
    };
    for (const init of [streamed, { method: 'POST', body: Buffer.concat([...chunks()]) }]) {
      const answer = await fetch(`${listening.base}/v1/messages`, init as RequestInit);
      expect(answer.status).toBe(200);
    }
    const lengths = provider.received.map(({ body }) => body.length);
    expect(lengths).toEqual([65 * chunk.length, 65 * chunk.length]);
    expect(listening.proxy.totals()).toMatchObject({ requests: 0, passed: 2 });
    expect(lines).toEqual([expect.stringContaining('64 MB'), expect.stringContaining('64 MB')]);
  });
});
