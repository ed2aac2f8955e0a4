import { expect, it } from 'vitest';
import { cacheDiagnosis } from './cache-diagnosis.ts';

const miss = { sentTokens: 10, predictedTokens: 0, reportedTokens: 0 };
const told = (type: string) => ({ cache_miss_reason: { type, cache_missed_input_tokens: 9 } });

it.each(['model', 'system', 'tools', 'messages'] as const)(
  'a change of the %s that the provider names is held against what was expected',
  (reported) => {
    const diagnostics = told(`${reported}_changed`);
    expect(cacheDiagnosis(diagnostics, { ...miss, cause: reported })).toEqual({
      ...{ reported, predicted: reported, agrees: true },
    });
    expect(cacheDiagnosis(diagnostics, { ...miss, cause: 'lifetime' })?.agrees).toBe(false);
    expect(cacheDiagnosis(diagnostics, undefined)).toEqual({ reported, agrees: false });
  },
);

it.each([
  undefined,
  null,
  { cache_miss_reason: null },
  told('previous_message_not_found'),
  told('unavailable'),
])('nothing is said where the provider names no change: %j', (diagnostics) => {
  expect(cacheDiagnosis(diagnostics, { ...miss, cause: 'tools' })).toBeUndefined();
});
