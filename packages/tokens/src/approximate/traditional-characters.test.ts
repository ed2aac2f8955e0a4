import { expect, test } from 'vitest';
import { knownTraditionalSigns } from '../test-support/traditional-signs.ts';
import { traditionalSigns } from './traditional-characters.ts';

test('the distances stand for the signs that are written in the traditional way only', () => {
  expect(traditionalSigns).toBe(knownTraditionalSigns);
});
