import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { imageTokens } from './media/image-tokens.ts';
import { tokenCounterFor } from './token-counter.ts';

const loadedTables = (): string[] =>
  Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes('tiktoken'));

test('importing the package and pricing images loads no wasm and no tables, the first count does', () => {
  const count = tokenCounterFor('gpt-4o');
  imageTokens({ width: 10, height: 10 });
  expect(count('')).toBe(0);
  expect(loadedTables()).toEqual([]);
  count('first');
  expect(loadedTables().some((path) => path.endsWith('o200k_base.json'))).toBe(true);
  expect(loadedTables().some((path) => path.endsWith('cl100k_base.json'))).toBe(false);
});
