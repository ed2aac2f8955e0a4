import { describe, expect, it } from 'vitest';
import { createProxy } from './proxy.ts';
import { bodyOf, longWork, messagesAfter } from './test-support/scripted-agent.ts';
import { testStore, send, changesOf, tokensIn } from './test-support/anthropic-conversation.ts';

describe('a conversation through the proxy', () => {
  it('hops between proxies over one store, as between the servers of a team', async () => {
    const clock = { now: 1e12 };
    const store = await testStore(clock);
    const failures: string[] = [];
    const onFailure = (line: string): void => void failures.push(line);
    const proxies = [createProxy({ store, onFailure }), createProxy({ store, onFailure })];
    const steps = longWork(110);
    const bodies: string[] = [];
    for (let done = 0; done <= steps.length; done += 1) {
      clock.now += 20_000;
      const given = bodyOf(messagesAfter(steps.slice(0, done)));
      for (const proxy of proxies) bodies.push((await send(proxy, given)).body);
    }
    const flushes = proxies.map((proxy) => proxy.totals().flushes);
    expect(failures).toEqual([]);
    expect(Math.max(...flushes)).toBeGreaterThan(0);
    expect(changesOf(bodies)).toBe(flushes.reduce((sum, count) => sum + count));
    expect(tokensIn(bodies.at(-1) ?? '')).toBeLessThan(200_000);
    expect((await store.sessions.list()).entries).toHaveLength(1);
    // A result is stored once, by the proxy that sees it first.
    expect((await store.outputs.tally()).outputs).toBe(steps.length);
  });
});
