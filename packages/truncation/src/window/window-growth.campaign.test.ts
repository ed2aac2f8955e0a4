import { expect, it } from 'vitest';
import { insertPair, testWindow, textOf, user } from './test-support/test-window.ts';

const turns = 10_000;
const turnsAtOnce = 1000;

/** Steps of the window in each thousand turns of a session of 5,000,000 tokens. */
function stepsByThousand(): number[] {
  const { window } = testWindow({ windowTokens: 128_000 });
  const counts: number[] = [];
  let before = 0;
  window.insert(user('task'));
  for (let turn = 1; turn <= turns; turn += 1) {
    const name = turn % 3 === 0 ? 'Read' : 'Grep';
    const input = { path: `src/file${String(turn % 40)}.ts` };
    insertPair(window, `c${String(turn)}`, { name, input, text: textOf(470, String(turn)) });
    window.request(turn * 20_000);
    if (turn % turnsAtOnce !== 0) continue;
    counts.push(window.steps - before);
    before = window.steps;
  }
  return counts;
}

it('does not do more work for a longer log: 10,000 turns, counted by thousands', {
  timeout: 120_000,
}, () => {
  const counts = stepsByThousand();
  const [, second = 0, , , , , seventh = 0] = counts;
  // Once lines of what left fill the window, after 5,000 turns, whole messages go, too: more steps a turn, but not more and more.
  expect(Math.max(...counts)).toBeLessThan(3 * second);
  expect(counts.at(-1)).toBeLessThan(1.2 * seventh);
});
