import { expect, test } from 'vitest';
import { outputText } from './output-text.ts';

test('says so where the text would be longer than a string can be', () => {
  const big = 'x'.repeat(2 ** 28);
  expect(outputText([big, big, big])).toBe('[a result too large for one text]');
});
