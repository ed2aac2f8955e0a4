import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

test('takes a depth of 300,000', () => {
  let value: unknown[] = [];
  for (let level = 1; level < 300_000; level += 1) value = [value];
  expect(canonicalJson(value).startsWith('{"$ctx":"table","nodes":[[[1]],[[2]],')).toBe(true);
});
