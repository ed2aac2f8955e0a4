import { automaticCompaction } from '@ctx/agent-adapter';
import { type Message, repairMessages } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replaySession } from '../replay.ts';
import type { ReplaySession } from '../replay-session.ts';
import { testPrice } from '../test-support/test-context.ts';
import { ctxPolicies } from './ctx.ts';
import { none } from './none.ts';
import { offload } from './offload.ts';

/** What `npm test` tries of what the campaign does. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.2;

const characters = (text: string): number => Math.ceil(text.length / 4);

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const call = (id: string, name: string, input: unknown): Message => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name, input }],
});
const result = (toolUseId: string, text: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', toolUseId, content: [{ type: 'text', text }] }],
});

/** A session of many calls: each reads a file or runs a test, and now and then the user speaks. */
function longSession(steps: number): ReplaySession {
  const messages = [user('Fix everything')];
  for (let index = 0; index < steps; index += 1) {
    const id = `c${String(index)}`;
    const lines = Array.from(
      { length: 60 },
      (_, line) => `${id} line ${String(line)} of some text`,
    );
    const isRead = index % 2 === 0;
    const path = `src/file${String(index)}.ts`;
    messages.push(
      isRead ? call(id, 'Read', { path }) : call(id, 'Bash', { command: `test ${id}` }),
    );
    messages.push(result(id, lines.join('\n')));
    if (index % 25 === 24) messages.push(user('go on'));
  }
  messages.push({ role: 'assistant', content: [{ type: 'text', text: 'Done.' }] });
  return { id: 'long', messages };
}

async function replay(
  session: ReplaySession,
  windowTokens: number,
  policies = [none, ...ctxPolicies],
) {
  const store = await openStore(memoryBackend(), { tokenCounter: characters });
  return replaySession(session, {
    store,
    policies,
    price: testPrice,
    countTokens: characters,
    compactWindow: automaticCompaction,
    windowTokens,
  });
}

describe('the window manager in a replay', () => {
  it('says what it saved at insertion, by dedupe and by leaving: all that it did not send', async () => {
    const log = Array.from({ length: 3000 }, (_, line) => `built part ${String(line)}`).join('\n');
    const { messages } = longSession(240);
    const again = messages
      .slice(1, 7)
      .map(
        (message) =>
          JSON.parse(JSON.stringify(message).replaceAll(/"(c\d+)"/g, '"again-$1"')) as Message,
      );
    const logged = [call('log', 'Bash', { command: 'make' }), result('log', log)];
    const session = {
      id: 'saved',
      messages: [user('Begin'), ...logged, ...messages.slice(1, 7), ...again, ...messages],
    };
    const { policies } = await replay(session, 64_000, [none, offload, ...ctxPolicies]);
    const [sent, previews, managed] = policies;
    expect(sent?.savedTokens).toEqual({ atInsertion: 0, byDedupe: 0, byLeaving: 0 });
    expect(previews?.savedTokens.atInsertion).toBeGreaterThan(0);
    expect(previews?.savedTokens).toMatchObject({ byDedupe: 0, byLeaving: 0 });
    const { atInsertion = 0, byDedupe = 0, byLeaving = 0 } = managed?.savedTokens ?? {};
    expect(Math.min(atInsertion, byDedupe, byLeaving)).toBeGreaterThan(0);
    const notSent = (sent?.cost.inputTokens ?? 0) - (managed?.cost.inputTokens ?? 0);
    expect((atInsertion + byDedupe + byLeaving) / notSent).toBeCloseTo(1, 1);
  });

  it('sends valid requests that fit, keeps everything readable, and costs less', async () => {
    const { policies } = await replay(longSession(200), 64_000);
    const [sent, ...managed] = policies;
    expect(sent?.overWindow).toBeGreaterThan(0);
    for (const { invalid, overWindow, outputs, cost } of managed) {
      expect({ invalid, overWindow }).toEqual({ invalid: 0, overWindow: 0 });
      expect(outputs).toEqual({ total: 200, recoverable: 200 });
      expect(cost.ute).toBeLessThan(sent?.cost.ute ?? 0);
      expect(cost.prefixBreaks).toBeGreaterThan(0);
      expect(cost.prefixBreaks).toBeLessThan(10);
    }
  });

  it('costs least in the thrifty mode and most in the evidence mode', async () => {
    const { policies } = await replay(longSession(200), 128_000);
    const [, standard, thrifty, evidence] = policies.map(({ cost }) => cost.ute);
    expect(thrifty).toBeLessThan(standard ?? 0);
    expect(standard).toBeLessThan(evidence ?? 0);
  });

  it('is the same every time', async () => {
    const session = longSession(60);
    expect(await replay(session, 64_000)).toEqual(await replay(session, 64_000));
  });

  it('never sends what a provider refuses, whatever the session', async () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd');
    const text = fc.constantFrom('word', 'many words here\n'.repeat(200), '.\n'.repeat(500));
    const any = fc.oneof(
      text.map(user),
      fc.tuple(id, text).map(([each, more]) => call(each, 'Read', { path: `${each}.ts`, more })),
      fc.tuple(id, text).map(([each, out]) => result(each, out)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(any, { minLength: 1, maxLength: 30 }), async (messages) => {
        const given = { id: 'any', messages: repairMessages(messages).messages };
        const { policies } = await replay(given, 4000);
        for (const { policy, invalid, overWindow, outputs } of policies) {
          expect(invalid).toBe(0);
          if (policy !== 'none') expect(overWindow).toBe(0);
          expect(outputs.recoverable).toBe(outputs.total);
        }
      }),
      { numRuns: 100 * share },
    );
  });
});
