import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionWindow } from './session-window.ts';
import {
  type SeenStep,
  seeStep,
  sessionHistory,
  textOfMessage,
  timesOf,
} from './test-support/session-steps.ts';
import { firstSizes, testPlace, testSession } from './test-support/test-session.ts';

/** What `npm test` tries of what the campaign does. */
const isCampaign = process.env['CTX_TEST_CAMPAIGN'] === '1';
const share = isCampaign ? 1 : 0.2;

/** Raise it for a longer look: `CTX_TEST_RUNS=10000`. */
const numRuns = Number(process.env['CTX_TEST_RUNS'] ?? 40 * share);

describe('the window of a session, whatever happens to it', () => {
  it('goes on with the same bytes when it is closed and opened again after every step', async () => {
    await fc.assert(
      fc.asyncProperty(sessionHistory, async (steps) => {
        const [one, other] = [await testPlace(), await testPlace()];
        const whole = await testSession(one.store, firstSizes);
        const times = timesOf(steps);
        for (const [index, step] of steps.entries()) {
          const again = await testSession(await other.reopen(), whole.next === 0 ? firstSizes : {});
          const now = times[index] ?? 0;
          const seen = await seeStep(whole, step, now);
          expect(await seeStep(again, step, now)).toEqual(seen);
          expect(seen.problems).toBe(0);
          await again.close();
        }
      }),
      { numRuns },
    );
  });

  it('goes on with the same bytes when two processes take turns and each follows the other', async () => {
    let followed = 0;
    await fc.assert(
      fc.asyncProperty(sessionHistory, fc.infiniteStream(fc.boolean()), async (steps, turns) => {
        const [one, other] = [await testPlace(), await testPlace()];
        const whole = await testSession(one.store, firstSizes);
        const team: (SessionWindow | undefined)[] = [undefined, undefined];
        const times = timesOf(steps);
        for (const [index, step] of steps.entries()) {
          const turn = turns.next().value === true ? 1 : 0;
          const kept = team[turn];
          const marks = await kept?.follow();
          followed += marks?.length ?? 0;
          const again = kept !== undefined && marks !== undefined;
          const window = again
            ? kept
            : await testSession(await other.reopen(), whole.next === 0 ? firstSizes : {});
          const now = times[index] ?? 0;
          const seen = await seeStep(whole, step, now);
          expect(await seeStep(window, step, now)).toEqual(seen);
          // The first to write tells the sizes.
          team[turn] = whole.next > 0 ? window : undefined;
          expect(window.explain()).toEqual(whole.explain());
          expect(window.checkpoints()).toEqual(whole.checkpoints());
          expect(seen.problems).toBe(0);
        }
      }),
      { numRuns },
    );
    // A few short histories may follow less often by chance; the campaign has enough of them.
    expect(followed).toBeGreaterThan(isCampaign ? numRuns : 0);
  });

  it('shows at each event what it showed then, also from another process', async () => {
    await fc.assert(
      fc.asyncProperty(sessionHistory, async (steps) => {
        const place = await testPlace();
        const window = await testSession(place.store, firstSizes);
        const times = timesOf(steps);
        const moments: (SeenStep & { readonly sequence: number })[] = [];
        for (const [index, step] of steps.entries()) {
          const seen = await seeStep(window, step, times[index] ?? 0);
          if (window.next > 0) moments.push({ ...seen, sequence: window.next - 1 });
        }
        const again = await testSession(await place.reopen());
        for (const { sequence, messages } of moments) {
          const view = await again.viewAt(sequence);
          expect(view.map(textOfMessage)).toEqual(messages);
        }
      }),
      { numRuns: Math.ceil(numRuns / 3) },
    );
  });

  it('begins each request with the one before, byte for byte, unless something left or was rewound', async () => {
    await fc.assert(
      fc.asyncProperty(sessionHistory, async (steps) => {
        const { store } = await testPlace();
        const window = await testSession(store, firstSizes);
        const times = timesOf(steps);
        let before: readonly string[] = [];
        for (const [index, step] of steps.entries()) {
          const { kind, messages, flush } = await seeStep(window, step, times[index] ?? 0);
          const mayChange = flush || ['compact', 'rewind', 'restore'].includes(kind);
          if (!mayChange) expect(messages.slice(0, before.length)).toEqual(before);
          before = messages;
        }
      }),
      { numRuns },
    );
  });
});
