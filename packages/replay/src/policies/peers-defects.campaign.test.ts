import { automaticCompaction } from '@ctx/agent-adapter';
import type { ContentBlock, Message } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { windowPolicy } from '@ctx/truncation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replaySession } from '../replay.ts';
import type { ReplayPolicy } from '../replay-policy.ts';
import { testPrice } from '../test-support/test-context.ts';
import { ctxPolicies, ctxPolicy } from './ctx.ts';
import { none } from './none.ts';
import { recipes } from './recipe.ts';
import { sliding } from './sliding.ts';

const characters = (text: string): number => Math.ceil(text.length / 4);

/** A loop of calls whose results have so many tokens, as the trace of the peers' figures has. */
function loop(sizes: readonly number[]): readonly Message[] {
  const turns = sizes.flatMap((tokens, index): Message[] => {
    const id = `c${String(index)}`;
    const text = `${id} ${'word'.repeat(tokens)}`;
    return [
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id, name: 'Bash', input: { command: id } }],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', toolUseId: id, content: [{ type: 'text', text }] }],
      },
    ];
  });
  const task: Message = { role: 'user', content: [{ type: 'text', text: 'Fix everything' }] };
  const done: Message = { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] };
  return [task, ...turns, done];
}

async function replay(
  messages: readonly Message[],
  policies: readonly ReplayPolicy[],
  windowTokens: number,
) {
  const store = await openStore(memoryBackend(), { tokenCounter: characters });
  const given = {
    store,
    policies,
    price: testPrice,
    countTokens: characters,
    windowTokens,
    compactWindow: automaticCompaction,
  };
  const report = await replaySession({ id: 'loop', messages }, given);
  return report.policies;
}

describe('what others take out at every step', () => {
  it('costs more than leaving it; what ctx takes out breaks the prefix eleven times in 120 steps at most', async () => {
    const messages = loop(Array.from({ length: 120 }, () => 2000));
    const policies = [none, sliding, ...ctxPolicies];
    const [untouched, eager, ...ours] = await replay(messages, policies, 200_000);
    expect(eager?.cost.prefixBreaks).toBeGreaterThan(60);
    for (const { cost, outputs, invalid } of ours) {
      expect(cost.ute).toBeLessThan(untouched?.cost.ute ?? 0);
      expect(cost.prefixBreaks).toBeLessThanOrEqual(11);
      expect(outputs).toEqual({ total: 120, recoverable: 120 });
      expect(invalid).toBe(0);
    }
  });

  it('is never dearer with ctx than nothing taken out, whatever the trace', async () => {
    const size = fc.oneof(
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 300, max: 4000 }),
      fc.integer({ min: 4000, max: 20_000 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(size, { minLength: 1, maxLength: 60 }), async (sizes) => {
        const policies = [none, ...ctxPolicies];
        const [untouched, ...ours] = await replay(loop(sizes), policies, 1_000_000);
        for (const { cost } of ours) {
          expect(cost.ute).toBeLessThanOrEqual((untouched?.cost.ute ?? 0) * 1.001);
        }
      }),
      { numRuns: Number(process.env['CTX_TEST_RUNS'] ?? 15) },
    );
  }, 120_000);
});

/** Results that stand whole in a request. */
function wholeResults(messages: readonly Message[]): number {
  const blocks = messages.flatMap(({ content }) => content);
  const isWhole = (block: ContentBlock): boolean =>
    block.type === 'tool_result' && JSON.stringify(block).includes('wordword');
  return blocks.filter(isWhole).length;
}

/** A policy, and how many results stood whole behind each time that something left. */
function watched(policy: ReplayPolicy) {
  const tails: number[] = [];
  const start: ReplayPolicy['start'] = (context) => {
    const run = policy.start(context);
    let before = 0;
    const render = (now: number): readonly Message[] => {
      const messages = run.render(now);
      const whole = wholeResults(messages);
      if (whole < before) tails.push(whole);
      before = whole;
      return messages;
    };
    return { ...run, render };
  };
  return { policy: { ...policy, start }, tails };
}

/** The window manager that lets nothing leave before the window is full, and then all but the newest tokens. */
function untilFull(trigger: number, tailTokens: number): ReplayPolicy {
  const never = Number.MAX_SAFE_INTEGER;
  const tail = { tailTokens, otherTailTokens: tailTokens, editTailTokens: tailTokens };
  const policy = windowPolicy('default', {
    ...{ ...tail, coldTailTokens: tailTokens, partTailTokens: tailTokens, holdTokens: 0 },
    ...{ economicFloorTokens: never, offloadFromTokens: never, partFromTokens: never },
    ...{ reserveTokens: 0, hardCapShare: 1, lowMarkShare: tailTokens / trigger },
  });
  return ctxPolicy({
    name: 'until full',
    description: 'for this test',
    policy,
    compacts: 'when full',
  });
}

describe('the recipe of pruning in batches', () => {
  it('is no cheaper than ctx, and loses what ctx gives back', async () => {
    const messages = loop(Array.from({ length: 120 }, () => 2000));
    const recipe = recipes.filter(({ name }) => name === 'recipe');
    const policies = [none, ...recipe, ...ctxPolicies];
    const [untouched, pruned, ours] = await replay(messages, policies, 200_000);
    expect(pruned?.cost.ute).toBeLessThan(untouched?.cost.ute ?? 0);
    expect(ours?.cost.ute).toBeLessThanOrEqual(pruned?.cost.ute ?? 0);
    expect(pruned?.outputs.recoverable).toBeLessThan(120);
    expect(ours?.outputs).toEqual({ total: 120, recoverable: 120 });
  });

  // The tails are what keeps as many results whole as the recipe does, each time.
  it.each([
    { name: 'recipe', trigger: 100_000, tail: 6500 },
    { name: 'recipe-70k', trigger: 70_000, tail: 6500 },
    { name: 'recipe-50k', trigger: 50_000, tail: 6300 },
  ])(
    'is at most 0.2 % cheaper than ctx that prunes at the same $trigger tokens and keeps as many results whole: one line for what leaves together',
    async ({ name, trigger, tail }) => {
      const messages = loop(Array.from({ length: 120 }, () => 2000));
      const theirs = watched(recipes.find((recipe) => recipe.name === name) ?? none);
      const mine = watched(untilFull(trigger, tail));
      const [pruned] = await replay(messages, [theirs.policy], 200_000);
      const [ours] = await replay(messages, [mine.policy], trigger);
      expect(theirs.tails.length).toBeGreaterThan(1);
      expect(mine.tails).toHaveLength(theirs.tails.length);
      expect(Math.min(...mine.tails)).toBeGreaterThanOrEqual(Math.max(...theirs.tails));
      expect(ours?.cost.ute).toBeLessThanOrEqual(1.002 * (pruned?.cost.ute ?? 0));
      expect(pruned?.outputs.recoverable).toBeLessThan(30);
      expect(ours?.outputs).toEqual({ total: 120, recoverable: 120 });
      expect(ours?.invalid).toBe(0);
    },
  );
});
