import { type Message } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { ctxPolicies } from './ctx.ts';
import { none } from './none.ts';
import { offload } from './offload.ts';
import { user, call, result, longSession, replay } from '../test-support/long-session.ts';

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
});
