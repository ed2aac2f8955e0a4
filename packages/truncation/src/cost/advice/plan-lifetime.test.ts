import { describe, expect, it } from 'vitest';
import { planLifetime } from './plan-lifetime.ts';

describe('planLifetime', () => {
  const sizes = { requestTokens: 80_000, newTokens: 1500 };

  it('pays for one hour where pauses are common, and not where requests follow each other', () => {
    const steady = Array.from({ length: 50 }, () => 20_000);
    expect(planLifetime({ gapsMs: steady, ...sizes }).lifetime).toBe('5m');
    const paused = [...steady, 900_000, 1_200_000];
    const plan = planLifetime({ gapsMs: paused, ...sizes });
    expect(plan.lifetime).toBe('1h');
    expect(plan.ute['1h']).toBeLessThan(plan.ute['5m']);
    expect(planLifetime({ gapsMs: [], ...sizes }).lifetime).toBe('5m');
  });
});
