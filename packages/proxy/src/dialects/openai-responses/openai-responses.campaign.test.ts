import { describe, expect, it } from 'vitest';
import { responsesProblemOf } from '../../test-support/judge-openai-responses.ts';
import { longWork } from '../../test-support/scripted-agent.ts';
import {
  start,
  bodyAfter,
  sentFor,
  changesOf,
  testProxy,
} from '../../test-support/openai-responses-conversation.ts';

describe('a conversation of the Responses API through the proxy', () => {
  const ways = [
    { name: 'calls with reasoning', shape: { hasReasoning: true } },
    { name: 'custom calls', shape: { isCustom: true } },
    { name: 'plain calls', shape: {} },
  ];
  it.each(ways)(
    'begins each request with the one before, but for flushes; every request is valid and fits: $name',
    async ({ shape }) => {
      const clock = { now: 1e12 };
      const proxy = await testProxy(clock);
      const steps = longWork(110);
      const bodies: string[] = [];
      for (let done = 0; done <= steps.length; done += 1) {
        clock.now += 20_000;
        const body = await sentFor(proxy, bodyAfter(steps.slice(0, done), shape));
        const problem = responsesProblemOf(JSON.parse(body), (text) => text.startsWith('sealed '));
        expect(problem).toBeUndefined();
        bodies.push(body);
      }
      const { flushes, failedOpen, requests } = proxy.totals();
      expect({ failedOpen, requests }).toEqual({ failedOpen: 0, requests: 111 });
      expect(flushes).toBeGreaterThan(0);
      expect(changesOf(bodies)).toBe(flushes);
      expect(bodies.at(-1)?.length).toBeLessThan(bodyAfter(steps, shape).length / 2);
      expect(bodies.at(-1)).toContain(JSON.stringify(start).slice(1, -1));
    },
  );
});
