import { describe, expect, it } from 'vitest';
import { priceOfModel } from './model-prices.ts';

const dollars = (model?: string) => {
  const { price, isOfModel } = priceOfModel(model);
  const { name, dollarsPerMillion, output } = price;
  return [name, dollarsPerMillion, dollarsPerMillion * output, isOfModel];
};

describe('the price of a model', () => {
  it('is its own under each name that hosts give it', () => {
    const opus = ['anthropic-5m', 5, 25, true];
    for (const name of [
      'claude-opus-4-5',
      'claude-opus-4-5-20251101',
      'anthropic/claude-opus-4-5',
      'us.anthropic.claude-opus-4-5-20251101-v1:0',
      'claude-opus-4-5@20251101',
    ]) {
      expect(dollars(name), name).toEqual(opus);
    }
    expect(dollars('gpt-5-mini-2025-08-07')).toEqual(['openai', 0.25, 2, true]);
    expect(priceOfModel('gpt-4o').price.read).toBe(0.5);
  });

  it('is that of its class where the list has none: a newer model is not taken for an older one', () => {
    expect(dollars('claude-opus-4-9')).toEqual(['anthropic-5m', 3, 15, false]);
    expect(dollars('gpt-5.9-codex')).toEqual(['openai', 1.25, 10, false]);
    expect(dollars('llama')).toEqual(['anthropic-5m', 3, 15, false]);
    expect(dollars()).toEqual(['anthropic-5m', 3, 15, false]);
  });
});
