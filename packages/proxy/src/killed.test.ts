import { expect, it } from 'vitest';
import { createProxy } from './proxy.ts';
import { changesOf, isPrefix, send, testStore } from './test-support/anthropic-conversation.ts';
import { prefixOf, problemOf } from './test-support/judge-anthropic.ts';
import { bodyOf, longWork, messagesAfter } from './test-support/scripted-agent.ts';

const steps = longWork(110);
const givenAfter = (done: number): string => bodyOf(messagesAfter(steps.slice(0, done)));

it('a proxy that is killed between deciding and sending is followed by one that sends what was decided, flushes among it', async () => {
  const clock = { now: 1e12 };
  const store = await testStore(clock);
  let proxy = createProxy({ store });
  let [kills, before] = [0, ''];
  for (let done = 0; done <= steps.length; done += 1) {
    clock.now += 20_000;
    const { body } = await send(proxy, givenAfter(done));
    const isFlush =
      before !== '' && !isPrefix(prefixOf(JSON.parse(before)), prefixOf(JSON.parse(body)));
    before = body;
    if (!isFlush && done % 10 !== 0) continue;
    // It sent nothing, and learns nothing. The client asks again.
    proxy = createProxy({ store });
    clock.now += 1000;
    expect((await send(proxy, givenAfter(done))).body).toBe(body);
    if (isFlush) kills += 1;
  }
  expect(kills).toBeGreaterThan(0);
});

it('a clock that is set back changes nothing that was sent', async () => {
  const clock = { now: 1e12 };
  const proxy = createProxy({ store: await testStore(clock) });
  const bodies: string[] = [];
  for (let done = 0; done <= steps.length; done += 1) {
    clock.now += done % 25 === 24 ? -86_400_000 : 20_000;
    const { body } = await send(proxy, givenAfter(done));
    expect(problemOf(JSON.parse(body), new Set())).toBeUndefined();
    bodies.push(body);
  }
  const { flushes, failedOpen } = proxy.totals();
  expect(failedOpen).toBe(0);
  expect(flushes).toBeGreaterThan(0);
  expect(changesOf(bodies)).toBe(flushes);
});
