import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { createProxy } from '../../proxy.ts';
import { chatPrefixOf, chatProblemOf } from '../../test-support/judge-openai-chat.ts';
import { longWork } from '../../test-support/scripted-agent.ts';
import { start, bodyAfter, sentFor } from '../../test-support/openai-chat-conversation.ts';

function changesOf(bodies: readonly string[]): number {
  const prefixes = bodies.map((body) => chatPrefixOf(JSON.parse(body)));
  return prefixes.filter((prefix, index) => {
    const before = prefixes[index - 1] ?? [];
    return before.some((item, place) => item !== prefix[place]);
  }).length;
}

describe('a conversation of Chat Completions through the proxy', () => {
  const ways = [
    { name: 'with reasoning', reasoning: { reasoning_content: 'Let me look.' } },
    { name: 'plain', reasoning: {} },
  ];
  it.each(ways)(
    'begins each request with the one before, but for flushes; every request is valid and fits: $name',
    async ({ reasoning }) => {
      const clock = { now: 1e12 };
      const store = await openStore(memoryBackend(), { clock: () => clock.now });
      const proxy = createProxy({ store });
      const steps = longWork(110);
      const bodies: string[] = [];
      for (let done = 0; done <= steps.length; done += 1) {
        clock.now += 20_000;
        const body = await sentFor(proxy, bodyAfter(steps.slice(0, done), reasoning));
        expect(chatProblemOf(JSON.parse(body))).toBeUndefined();
        bodies.push(body);
      }
      const { flushes, failedOpen, requests } = proxy.totals();
      expect({ failedOpen, requests }).toEqual({ failedOpen: 0, requests: 111 });
      expect(flushes).toBeGreaterThan(0);
      expect(changesOf(bodies)).toBe(flushes);
      expect(bodies.at(-1)?.length).toBeLessThan(bodyAfter(steps, reasoning).length / 2);
      expect(bodies.at(-1)).toContain(JSON.stringify(start).slice(1, -1));
      const thoughts = bodies.at(-1)?.split('Let me look.').length;
      expect(thoughts).toBe(Object.keys(reasoning).length === 0 ? 1 : steps.length + 1);
    },
  );
});
