import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { createProxy } from '../../proxy.ts';
import { geminiPrefixOf, geminiProblemOf } from '../../test-support/judge-gemini.ts';
import { longWork } from '../../test-support/scripted-agent.ts';
import { start, bodyAfter, sentFor } from '../../test-support/gemini-conversation.ts';

function changesOf(bodies: readonly string[]): number {
  const prefixes = bodies.map((body) => geminiPrefixOf(JSON.parse(body)));
  return prefixes.filter((prefix, index) => {
    const before = prefixes[index - 1] ?? [];
    return before.some((item, place) => item !== prefix[place]);
  }).length;
}

describe('a conversation of the Gemini API through the proxy', () => {
  const ways = [
    { name: 'signed', signature: { thoughtSignature: 'c2ln' } },
    { name: 'plain', signature: {} },
  ];
  it.each(ways)(
    'begins each request with the one before, but for flushes; every request is valid: $name',
    async ({ signature }) => {
      const clock = { now: 1e12 };
      const store = await openStore(memoryBackend(), { clock: () => clock.now });
      const proxy = createProxy({ store });
      const steps = longWork(110);
      const bodies: string[] = [];
      for (let done = 0; done <= steps.length; done += 1) {
        clock.now += done === 100 ? 7_200_000 : 20_000;
        const body = await sentFor(proxy, bodyAfter(steps.slice(0, done), signature));
        expect(geminiProblemOf(JSON.parse(body))).toBeUndefined();
        bodies.push(body);
      }
      const { flushes, failedOpen, requests } = proxy.totals();
      expect({ failedOpen, requests }).toEqual({ failedOpen: 0, requests: 111 });
      expect(flushes).toBeGreaterThan(0);
      expect(changesOf(bodies)).toBe(flushes);
      expect(bodies.at(-1)?.length).toBeLessThan(bodyAfter(steps, signature).length * 0.8);
      expect(bodies.at(-1)).toContain(JSON.stringify(start).slice(1, -1));
      const signed = bodies.at(-1)?.split('"thoughtSignature":"c2ln"').length;
      expect(signed).toBe('thoughtSignature' in signature ? steps.length + 1 : 1);
    },
  );
});
