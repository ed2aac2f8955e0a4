import { automaticCompaction } from '@ctx/agent-adapter';
import { type Message, repairMessages } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { planOfflineFlushes, windowModes } from '@ctx/truncation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replaySession } from '../replay.ts';
import type { PolicyContext } from '../replay-policy.ts';
import type { ReplaySession } from '../replay-session.ts';
import { testContext, testPrice } from '../test-support/test-context.ts';
import { hindsightUnits } from './hindsight-log.ts';
import { hindsightTrace } from './hindsight-trace.ts';
import { none } from './none.ts';
import { offlineOptimum } from './offline-optimum.ts';

/** What `npm test` tries of what the campaign does. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.2;

const characters = (text: string): number => Math.ceil(text.length / 4);

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const call = (id: string, name = 'Bash'): Message => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name, input: { command: `do ${id}` } }],
});
const result = (toolUseId: string, text: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', toolUseId, content: [{ type: 'text', text }] }],
});

function longSession(steps: number, characters: number): ReplaySession {
  const messages = [user('Fix everything')];
  for (let index = 0; index < steps; index += 1) {
    const id = `c${String(index)}`;
    messages.push(call(id), result(id, `${id} ${'word '.repeat(characters / 5)}`));
  }
  messages.push({ role: 'assistant', content: [{ type: 'text', text: 'Done.' }] });
  return { id: 'long', system: 'You are an agent.', messages };
}

async function replay(session: ReplaySession, windowTokens: number) {
  const store = await openStore(memoryBackend(), { tokenCounter: characters });
  return replaySession(session, {
    store,
    policies: [none, offlineOptimum],
    price: testPrice,
    countTokens: characters,
    compactWindow: automaticCompaction,
    windowTokens,
  });
}

describe('the offline optimum in a replay', () => {
  it('costs less than sending everything, breaks seldom, and keeps everything readable', async () => {
    const { policies, saved } = await replay(longSession(120, 6000), 200_000);
    const [sent, bound] = policies;
    expect(bound?.cost.ute).toBeLessThan((sent?.cost.ute ?? 0) * 0.6);
    expect(bound?.cost.prefixBreaks).toBeGreaterThan(1);
    expect(bound?.outputs).toEqual({ total: 120, recoverable: 120 });
    expect({ ...bound }).toMatchObject({ invalid: 0, overWindow: 0 });
    // Looking ahead stores each output once.
    expect(saved.outputs).toBe(120);
  });

  it('reaches into the tail where the window forces it', async () => {
    const { policies } = await replay(longSession(60, 6000), 16_000);
    expect(policies[0]?.overWindow).toBeGreaterThan(0);
    expect({ ...policies[1] }).toMatchObject({ invalid: 0, overWindow: 0 });
  });

  it('costs in the replay what the planning said', async () => {
    let known: PolicyContext | undefined;
    const watched = {
      ...offlineOptimum,
      start: (context: PolicyContext) => {
        known = context;
        return offlineOptimum.start(context);
      },
    };
    const store = await openStore(memoryBackend(), { tokenCounter: characters });
    const { policies } = await replaySession(longSession(80, 6000), {
      store,
      policies: [watched],
      price: testPrice,
      countTokens: characters,
      compactWindow: automaticCompaction,
    });
    const { hindsight } = known ?? {};
    if (known === undefined || hindsight === undefined) throw new Error('not started');
    const units = hindsightUnits(hindsight);
    const policy = windowModes.default;
    const trace = hindsightTrace({ units, steps: hindsight.steps, context: known, policy });
    const planned = planOfflineFlushes(trace, testPrice);
    const { ute = 0, outputTokens = 0 } = policies[0]?.cost ?? {};
    expect(planned.flushes.length).toBeGreaterThan(1);
    expect(ute - testPrice.output * outputTokens).toBeCloseTo(planned.ute, 4);
  });

  it('cannot start without the end of the session', () => {
    expect(() => offlineOptimum.start(testContext())).toThrow('to its end');
  });

  it('sends valid requests, whatever the session', async () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd');
    const text = fc.constantFrom('word', 'many words here\n'.repeat(200), '.\n'.repeat(500));
    const any = fc.oneof(
      text.map(user),
      id.map((each) => call(each, 'Read')),
      fc.tuple(id, text).map(([each, out]) => result(each, out)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(any, { minLength: 1, maxLength: 30 }), async (messages) => {
        const given = { id: 'any', messages: repairMessages(messages).messages };
        const { policies } = await replay(given, 4000);
        for (const { invalid } of policies) expect(invalid).toBe(0);
        expect(policies[1]?.outputs.recoverable).toBe(policies[1]?.outputs.total);
      }),
      { numRuns: 100 * share },
    );
  });
});
