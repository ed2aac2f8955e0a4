import { describe, expect, it } from 'vitest';
import { insertPair, testWindow, textOf, user } from './test-support/test-window.ts';

describe('the work of a turn', () => {
  it('is the same at turn 3,000 as at turn 100', () => {
    const { window } = testWindow();
    window.insert(user('task'));
    const stepsOf = (from: number, to: number): number => {
      const before = window.steps;
      for (let index = from; index < to; index += 1) {
        insertPair(window, `p${String(index)}`, {
          ...(index % 3 === 0
            ? { name: 'Read', input: { path: `f${String(index % 40)}.ts` } }
            : {}),
          text: textOf(500, String(index)),
        });
        if (index % 20 === 0) window.insert(user(`turn ${String(index)}`));
        window.request(index * 20_000);
      }
      return (window.steps - before) / (to - from);
    };
    stepsOf(0, 100);
    const early = stepsOf(100, 500);
    stepsOf(500, 2600);
    const late = stepsOf(2600, 3000);
    expect(late).toBeLessThan(early * 1.25);
  });
});
