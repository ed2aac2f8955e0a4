import type { ContentBlock, Message } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Breakpoint, planBreakpoints } from './plan-breakpoints.ts';

const tokensOf = (message: Message): number => JSON.stringify(message.content).length;

const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const thinking: ContentBlock = { type: 'opaque', format: 'anthropic:thinking', data: {} };
const image: ContentBlock = { type: 'opaque', format: 'anthropic:image', data: {} };
const long = 'word '.repeat(400);

const user = (...content: ContentBlock[]): Message => ({ role: 'user', content });
const assistant = (...content: ContentBlock[]): Message => ({ role: 'assistant', content });

const block = fc.constantFrom<ContentBlock>(
  text(long),
  text('short'),
  text(''),
  text(' \n'),
  thinking,
  image,
  { type: 'opaque', format: 'other:thing', data: {} },
  { type: 'tool_use', id: 'a', name: 'Read', input: {} },
  { type: 'tool_result', toolUseId: 'a', content: [] },
);
const message = fc.record({
  role: fc.constantFrom('user', 'assistant', 'system' as const),
  content: fc.array(block, { maxLength: 30 }),
});
const messages: fc.Arbitrary<Message[]> = fc.array(message, { maxLength: 12 });

function blockAt(all: readonly Message[], breakpoint: Breakpoint): ContentBlock | undefined {
  if (breakpoint.at !== 'block') return undefined;
  return all[breakpoint.message]?.content[breakpoint.block];
}

const blocksOf = (plan: readonly Breakpoint[]) =>
  plan.flatMap((each) => (each.at === 'block' ? [`${each.message}.${each.block}`] : []));

describe('planBreakpoints', () => {
  it('marks system prompt, epoch, the newest message of the request before, and the newest', () => {
    const all = [
      user(text(long)),
      user(text(`summary ${long}`)),
      assistant(text('one')),
      user(text('two')),
      assistant(thinking, text('three')),
      user(text('four')),
    ];
    const plan = planBreakpoints({
      messages: all,
      tokensOf,
      toolTokens: 3000,
      systemTokens: 500,
      epochMessages: 2,
      prefixLifetime: '1h',
    });
    expect(plan).toEqual([
      { at: 'system', lifetime: '1h' },
      { at: 'block', message: 1, block: 0, lifetime: '1h' },
      { at: 'block', message: 3, block: 0, lifetime: '5m' },
      { at: 'block', message: 5, block: 0, lifetime: '5m' },
    ]);
  });

  it('marks the tools where there is no system prompt, or room for both', () => {
    const input = { messages: [user(text(long))], tokensOf, toolTokens: 3000 };
    expect(planBreakpoints(input).map(({ at }) => at)).toEqual(['tools', 'block']);
    const both = planBreakpoints({ ...input, systemTokens: 10 });
    expect(both.map(({ at }) => at)).toEqual(['tools', 'system', 'block']);
  });

  it('marks nothing that is shorter than the model caches', () => {
    const input = { messages: [user(text(long))], tokensOf, systemTokens: 100 };
    expect(planBreakpoints(input)).toHaveLength(1);
    expect(planBreakpoints({ ...input, minimumTokens: 4096 })).toEqual([]);
  });

  it('refuses to keep a prefix for less time than what stands behind it', () => {
    const input = { messages: [], tokensOf, lifetime: '1h', prefixLifetime: '5m' } as const;
    expect(() => planBreakpoints(input)).toThrow('for less time');
  });

  it('chooses at most four places, in order, that take a mark, whatever the messages', () => {
    const sizes = fc.record({
      toolTokens: fc.constantFrom(0, 10, 5000),
      systemTokens: fc.constantFrom(0, 10, 5000),
      epochMessages: fc.nat({ max: 15 }),
      minimumTokens: fc.constantFrom(0, 1024, 4096),
    });
    fc.assert(
      fc.property(messages, sizes, (all, given) => {
        const plan = planBreakpoints({ messages: all, tokensOf, ...given });
        expect(plan.length).toBeLessThanOrEqual(4);
        expect(new Set(plan.map((each) => JSON.stringify(each))).size).toBe(plan.length);
        for (const each of plan.filter(({ at }) => at === 'block')) {
          const marked = blockAt(all, each);
          expect(marked).toBeDefined();
          if (marked?.type === 'text') expect(marked.text.trim()).not.toBe('');
          if (marked?.type === 'opaque') expect(marked.format).toBe('anthropic:image');
        }
        const places = plan.map((each) =>
          each.at === 'block' ? 2 + each.message * 100 + each.block : each.at === 'tools' ? 0 : 1,
        );
        expect(places).toEqual([...places].sort((a, b) => a - b));
      }),
    );
  });

  it('marks the newest place of a request again in the next one, however many blocks came since', () => {
    const step = fc.tuple(
      fc.array(block, { minLength: 1, maxLength: 30 }),
      fc.array(block, { minLength: 1, maxLength: 60 }),
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
        const all: Message[] = [user(text(long))];
        let newest: string | undefined;
        for (const [answer, results] of steps) {
          const plan = blocksOf(
            planBreakpoints({ messages: all, tokensOf, systemTokens: 2000, minimumTokens: 0 }),
          );
          if (newest !== undefined) expect(plan).toContain(newest);
          newest = plan.at(-1);
          all.push(assistant(...answer), user(...results));
        }
      }),
    );
  });
});
