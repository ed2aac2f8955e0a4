import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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

// Code that V8 drops while a test measures would count as what was measured.
setFlagsFromString('--no-flush-bytecode');
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void; // The flag makes it.

/** Collects until the heap stops shrinking. */
async function heapBytes(): Promise<number> {
  let [bytes, before] = [process.memoryUsage().heapUsed, Infinity];
  for (let count = 0; count < 3 || bytes < before - 1000; count += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    [bytes, before] = [process.memoryUsage().heapUsed, bytes];
  }
  return bytes;
}

const usage = { input_tokens: 60_000, cache_read_input_tokens: 0, output_tokens: 10 };
const whole = bodyOf(messagesAfter(steps));
const conversations = 12;

/** Bytes that a proxy frees for each of its conversations, which all rest, when it closes. */
async function restingBytes(): Promise<number> {
  const proxy = createProxy({ store: await testStore(), openCharacters: 0 });
  for (let conversation = 0; conversation <= conversations; conversation += 1) {
    const named = { 'x-claude-code-session-id': `conversation ${String(conversation)}` };
    for (const given of [bodyOf(messagesAfter(steps.slice(0, 15))), whole]) {
      const { exchange } = await send(proxy, given, named);
      const reader = exchange.answer('application/json');
      reader.write(Buffer.from(JSON.stringify({ usage })));
      await reader.end();
    }
  }
  await send(proxy, bodyOf(messagesAfter([]))); // All the others rest.
  const held = await heapBytes();
  await proxy.close();
  return (held - (await heapBytes())) / conversations;
}

it('a conversation that rests holds a tenth of its request, however many there are', async () => {
  const most = whole.length / 10;
  // The tests before in this process leave things that go at any time: what is held is there each time.
  let least = Infinity;
  for (let tries = 0; tries < 3 && least >= most; tries += 1) {
    least = Math.min(least, await restingBytes());
  }
  expect(least).toBeLessThan(most);
});
