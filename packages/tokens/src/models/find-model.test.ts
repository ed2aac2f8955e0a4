import { expect, test } from 'vitest';
import { encodingOfModel } from './encoding-of-model.ts';
import { findModel } from './find-model.ts';
import { modelsByPrefix, modelsCheckedAt } from './models.ts';

test.each([
  ['gpt-4o-2024-11-20', 'openai', 128_000, 'o200k_base'],
  ['gpt-4.1-mini', 'openai', 1_047_576, 'o200k_base'],
  ['gpt-4-0613', 'openai', 8_192, 'cl100k_base'],
  ['gpt-4-turbo-2024-04-09', 'openai', 128_000, 'cl100k_base'],
  ['gpt-3.5-turbo', 'openai', 16_385, 'cl100k_base'],
  ['ft:gpt-4o-mini:acme', 'openai', 128_000, 'o200k_base'],
  ['gpt-5-codex', 'openai', 400_000, 'o200k_base'],
  ['o3-mini', 'openai', 200_000, 'o200k_base'],
  ['claude-sonnet-4-5-20250929', 'anthropic', 200_000, 'o200k_base'],
  ['claude-sonnet-4-5[1m]', 'anthropic', 1_000_000, 'o200k_base'],
  ['claude-opus-4-6', 'anthropic', 1_000_000, 'o200k_base'],
  ['claude-next-9', 'anthropic', 200_000, 'o200k_base'],
  ['openrouter/anthropic/claude-opus-4.6', 'anthropic', 1_000_000, 'o200k_base'],
  ['us.anthropic.claude-3-5-haiku-20241022-v1:0', 'anthropic', 200_000, 'o200k_base'],
  ['models/gemini-2.5-pro', 'google', 1_048_576, 'o200k_base'],
  ['gemini-1.5-pro-002', 'google', 2_097_152, 'o200k_base'],
  ['deepseek-chat', 'deepseek', 131_072, 'o200k_base'],
  ['mistral-large-latest', 'mistral', 131_072, 'o200k_base'],
  ['meta-llama/Llama-3.3-70B-Instruct', 'meta', 131_072, 'o200k_base'],
  ['qwen/qwen3-coder-plus', 'qwen', 262_144, 'o200k_base'],
] as const)(
  '%s is of %s, holds %d tokens and counts with %s',
  (model, provider, windowTokens, encoding) => {
    expect(findModel(model)).toMatchObject({ provider, windowTokens, encoding });
    expect(encodingOfModel(model)).toBe(encoding);
  },
);

test.each(['', 'no-such-model', 'claud', '/', 'constructor', '__proto__'])(
  '%j is not known',
  (model) => {
    expect(findModel(model)).toBeUndefined();
    expect(encodingOfModel(model)).toBe('o200k_base');
  },
);

test('every entry can be found by its own prefix and leaves room for input', () => {
  for (const [prefix, info] of modelsByPrefix) {
    expect(findModel(prefix)).toEqual(info);
    expect(info.windowTokens).toBeGreaterThanOrEqual(info.outputTokens);
  }
  expect(modelsCheckedAt).toMatch(/^\d{4}-\d\d-\d\d$/);
});

test('only the models of OpenAI count exactly', () => {
  for (const { provider, isExact } of modelsByPrefix.values())
    expect(isExact).toBe(provider === 'openai');
});
