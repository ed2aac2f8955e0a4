import { describe, expect, it } from 'vitest';
import { cacheMinimumOf } from './cache-minimums.ts';

describe('cacheMinimumOf', () => {
  it.each([
    ['claude-opus-4-5-20251101', 4096],
    ['us.anthropic.claude-haiku-4-5-20251001-v1:0', 4096],
    ['anthropic/claude-sonnet-4.5', 1024],
    ['claude-opus-4-8', 1024],
    ['claude-opus-4-20250514', 1024],
    ['claude-opus-5', 512],
    ['claude-3-5-haiku-20241022', 2048],
    ['anthropic/claude-3.5-haiku', 2048],
    ['claude-3-7-sonnet-20250219', 1024],
    ['gpt-5', undefined],
    ['magic-opus', undefined],
    ['claude-next', undefined],
  ])('of %s is %s', (model, tokens) => {
    expect(cacheMinimumOf(model)).toBe(tokens);
  });
});
