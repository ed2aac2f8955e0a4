import { repairMessages } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { user, call, result, longSession, replay } from '../test-support/long-session.ts';

/** What `npm test` tries of what the campaign does. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.2;

describe('the window manager in a replay', () => {
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
