import fc from 'fast-check';
import { expect, test } from 'vitest';
import { imageTokens } from './image-tokens.ts';

test.each([
  // platform.claude.com, vision: pixels / 750; 1,568 px and about 1,600 tokens at most.
  ['claude-sonnet-4-5', 200, 200, 54],
  ['claude-sonnet-4-5', 1000, 1000, 1334],
  ['claude-sonnet-4-5', 1092, 1092, 1590],
  ['claude-sonnet-4-5', 8000, 8000, 1600],
  ['claude-sonnet-4-5', 3136, 200, 210],
  ['claude-opus-4-7', 2000, 1500, 4000],
  ['claude-opus-4-7', 8000, 8000, 4784],
  // platform.openai.com, images and vision: the examples of the guide.
  ['gpt-4o', 1024, 1024, 765],
  ['gpt-4o', 2048, 4096, 1105],
  ['gpt-4o', 512, 512, 255],
  ['gpt-5', 1024, 1024, 630],
  ['o3', 1024, 1024, 675],
  ['gpt-4o-mini', 1024, 1024, 25_501],
  ['o4-mini', 1024, 1024, 1762],
  ['o4-mini', 1800, 2400, 2498],
  // ai.google.dev, tokens: up to 384 px 258; 960 × 540 in crops of 360 px, three by two.
  ['gemini-2.5-pro', 384, 384, 258],
  ['gemini-2.5-pro', 960, 540, 1548],
  ['gemini-3-pro', 4000, 4000, 1120],
] as const)('%s counts an image of %d × %d px as %d tokens', (model, width, height, tokens) => {
  expect(imageTokens({ width, height }, { model })).toBe(tokens);
});

test('low detail costs the base alone', () => {
  expect(imageTokens({ width: 4000, height: 4000 }, { model: 'gpt-4o', detail: 'low' })).toBe(85);
});

test('the provider decides where the model is not known', () => {
  const size = { width: 1000, height: 1000 };
  expect(imageTokens(size, { model: 'house-model', provider: 'anthropic' })).toBe(1334);
  expect(imageTokens(size, { provider: 'google' })).toBe(1032);
  expect(imageTokens(size)).toBe(765);
});

test('a size that is not known or not possible counts as 1,024 × 1,024 px', () => {
  expect(imageTokens(undefined, { model: 'gpt-4o' })).toBe(765);
  expect(imageTokens({ width: 0, height: 10 }, { model: 'gpt-4o' })).toBe(765);
  expect(imageTokens({ width: 4_000_000_000, height: 10 }, { model: 'gpt-4o' })).toBe(765);
});

test('any size gives a whole, positive number that turning the image does not change', () => {
  const edge = fc.integer({ min: 1, max: 65_535 });
  const model = fc.constantFrom(
    'claude-opus-4-1',
    'claude-opus-4-7',
    'gpt-4o',
    'gpt-5-mini',
    'gemini-2.5-flash',
  );
  fc.assert(
    fc.property(edge, edge, model, (width, height, name) => {
      const tokens = imageTokens({ width, height }, { model: name });
      expect(Number.isInteger(tokens) && tokens > 0).toBe(true);
      expect(imageTokens({ width: height, height: width }, { model: name })).toBe(tokens);
    }),
  );
});
