import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusalOfJson } from './scan-json.ts';

const limits = { maxDepth: 64, maxKeys: 10_000 };
const statusOf = (json: string): number | undefined => refusalOfJson(json, limits)?.status;

describe('a body before it is parsed', () => {
  it('takes every JSON that keeps the limits', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (json) => {
        const isHarmless = !json.includes('__proto__') && !json.includes('\\u0000');
        fc.pre(isHarmless);
        expect(statusOf(json)).toBeUndefined();
      }),
    );
  });

  it('refuses depth over 64, also when it is a million', () => {
    expect(statusOf('['.repeat(64) + ']'.repeat(64))).toBeUndefined();
    expect(statusOf('['.repeat(65) + ']'.repeat(65))).toBe(400);
    expect(statusOf('{"a":'.repeat(1_000_000))).toBe(400);
    expect(statusOf('['.repeat(1_000_000))).toBe(400);
  });

  it('refuses more than 10,000 members', () => {
    const members = (count: number): string =>
      `{${Array.from({ length: count }, (_, index) => `"k${String(index)}":1`).join()}}`;
    expect(statusOf(members(10_000))).toBeUndefined();
    expect(statusOf(members(10_001))).toBe(400);
  });

  it.each([
    ['equal names', '{"a":1,"a":2}'],
    ['equal names, one of them escaped', '{"a":1,"\\u0061":2}'],
    ['equal names behind a nested object', '{"a":{"b":1},"a":2}'],
    ['a name with U+0000', '{"a\\u0000":1}'],
    ['__proto__', '{"x":{"__proto__":{"y":1}}}'],
    ['__proto__, escaped', '{"\\u005f_proto__":1}'],
  ])('refuses %s', (_, json) => {
    expect(statusOf(json)).toBe(422);
  });

  it.each([
    ['equal names in different objects', '[{"a":1},{"a":2},{"b":{"a":1}}]'],
    ['names as values', '{"a":"a","b":["a","a"]}'],
    ['quotes and braces in texts', '{"a":"\\"{[{","b":"\\\\"}'],
    ['the name as a value', '{"a":"__proto__"}'],
    ['U+0000 in a value', '{"a":"\\u0000"}'],
    ['what is no JSON', '{"a":'],
    ['nothing', ''],
  ])('takes %s', (_, json) => {
    expect(statusOf(json)).toBeUndefined();
  });
});
