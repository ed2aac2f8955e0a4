import { expect, it } from 'vitest';
import { testWindow } from './test-support/test-window.ts';
import { calibrated, createWindowState, limitTokens } from './window-state.ts';

it('counts no request that fits as one token too long, whatever the factor', () => {
  const { options } = testWindow({ windowTokens: 2500, changes: { reserveTokens: 200 } });
  const state = createWindowState(options);
  for (let estimated = 900; estimated <= 4600; estimated += 1) {
    state.factor = 2300 / estimated;
    expect(calibrated(state, limitTokens(state))).toBeLessThanOrEqual(2300);
  }
});
