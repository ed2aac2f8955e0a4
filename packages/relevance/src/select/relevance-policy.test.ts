import { isCtxError } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { defaultRelevancePolicy, relevancePolicy } from './relevance-policy.ts';

describe('relevancePolicy', () => {
  it('is the default where nothing is changed', () => {
    expect(relevancePolicy()).toEqual(defaultRelevancePolicy);
    expect(relevancePolicy({ k1: 2 })).toEqual({ ...defaultRelevancePolicy, k1: 2 });
  });

  it.each([
    { k1: Number.NaN },
    { namedWeight: -1 },
    { bodyLengthShare: 1.5 },
    { ageHalfLife: 0 },
    { maxCharacters: Number.POSITIVE_INFINITY },
  ])('refuses %o and names the field', (changes) => {
    const [field] = Object.keys(changes);
    let thrown: unknown;
    try {
      relevancePolicy(changes);
    } catch (error) {
      thrown = error;
    }
    expect(isCtxError(thrown, 'CTX_INVALID_INPUT')).toBe(true);
    expect(String(thrown)).toContain(field);
  });
});
