import { describe, expect, it } from 'vitest';
import { addUsage, noUsage, usageOfAnthropic, usageOfOpenAi } from './usage.ts';

describe('usage', () => {
  it('counts cached parts into the input of Anthropic, which leaves them out', () => {
    const usage = {
      input_tokens: 3,
      cache_creation_input_tokens: 900,
      cache_read_input_tokens: 15_000,
      output_tokens: 40,
    };
    expect(usageOfAnthropic(usage)).toEqual({
      input: 15_903,
      cacheRead: 15_000,
      cacheWrite: 900,
      output: 40,
    });
  });

  it('tells what of the cache is written for an hour, and adds it up', () => {
    const cache_creation = { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 800 };
    const usage = usageOfAnthropic({ cache_creation_input_tokens: 900, cache_creation }) ?? noUsage;
    expect(usage).toMatchObject({ cacheWrite: 900, cacheWriteHour: 800 });
    expect(addUsage(usage, usage).cacheWriteHour).toBe(1600);
    expect(addUsage(noUsage, noUsage)).not.toHaveProperty('cacheWriteHour');
  });

  it('takes the input of OpenAI as it is, which holds them', () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 9,
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens_details: { reasoning_tokens: 5 },
    };
    expect(usageOfOpenAi(usage)).toEqual({
      input: 100,
      cacheRead: 64,
      cacheWrite: 0,
      output: 9,
      reasoning: 5,
    });
  });

  it('takes what is no count for 0, and what is no usage for none', () => {
    expect(usageOfAnthropic({ input_tokens: '3', output_tokens: -1 })).toEqual(noUsage);
    expect(usageOfAnthropic(null)).toBeUndefined();
    expect(usageOfOpenAi(7)).toBeUndefined();
  });

  it('adds up', () => {
    const usage = { input: 1, cacheRead: 2, cacheWrite: 3, output: 4 };
    expect(addUsage(usage, { ...usage, reasoning: 5 })).toEqual({
      input: 2,
      cacheRead: 4,
      cacheWrite: 6,
      output: 8,
      reasoning: 5,
    });
    expect(addUsage(usage, noUsage)).toEqual(usage);
  });
});
