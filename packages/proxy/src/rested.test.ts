import type { ContextStore } from '@ctx/store';
import { expect, it } from 'vitest';
import { createProxy, type Proxy } from './proxy.ts';
import { send, testStore } from './test-support/anthropic-conversation.ts';
import { bodyOf, longWork, messagesAfter } from './test-support/scripted-agent.ts';

const steps = longWork(30);
const names = ['one', 'two', 'three'];

/** Lets three conversations take turns. Returns what went out for each. */
async function takeTurns(proxy: Proxy, clock: { now: number }): Promise<string[][]> {
  const sent: string[][] = names.map(() => []);
  for (let done = 0; done <= steps.length; done += 1) {
    for (const [place, name] of names.entries()) {
      clock.now += 1000;
      const given = bodyOf(messagesAfter(steps.slice(0, done)));
      const { body } = await send(proxy, given, { 'x-claude-code-session-id': name });
      sent[place]?.push(body);
    }
  }
  return sent;
}

/** The store, and how often a log was read from its first event on. */
function counting(store: ContextStore): { store: ContextStore; reads: () => number } {
  let reads = 0;
  const read: ContextStore['events']['read'] = (sessionId, options) => {
    if ((options?.from ?? 0) === 0) reads += 1;
    return store.events.read(sessionId, options);
  };
  return { store: { ...store, events: { ...store.events, read } }, reads: () => reads };
}

it('conversations that rest are closed, and go on with the bytes that they would have had', async () => {
  const bytes: string[][][] = [];
  const reads: number[] = [];
  for (const openCharacters of [2 ** 24, 0]) {
    const clock = { now: 1e12 };
    const counted = counting(await testStore(clock));
    const proxy = createProxy({ store: counted.store, openCharacters });
    bytes.push(await takeTurns(proxy, clock));
    expect(proxy.totals()).toMatchObject({ requests: names.length * 31, failedOpen: 0 });
    reads.push(counted.reads());
    await proxy.close();
  }
  expect(bytes[1]).toEqual(bytes[0]);
  expect(reads[1]).toBeGreaterThan((reads[0] ?? 0) + names.length * 25);
});
