import { afterEach, describe, expect, it } from 'vitest';
import { bodyOf, messagesAfter, type Step } from '../test-support/scripted-agent.ts';
import { opened, start, ok, post } from '../test-support/proxied-place.ts';

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
});
