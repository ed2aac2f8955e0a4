import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trimArgs } from './trim-args.ts';

test('leaves small arguments as they are', () => {
  const args = { path: 'src/a.ts', lines: [1, 20], deep: { a: { b: {} } }, no: null, yes: true };
  expect(trimArgs(args)).toStrictEqual(args);
  expect(trimArgs('raw')).toBe('raw');
});

test('cuts long texts and says how long they were', () => {
  expect(trimArgs({ content: 'x'.repeat(5_000) })).toEqual({
    content: `${'x'.repeat(500)}… (5000 characters)`,
  });
  expect(trimArgs({ content: 'x'.repeat(500) })).toEqual({ content: 'x'.repeat(500) });
});

test('cuts long lists, wide objects and deep levels', () => {
  expect(trimArgs([1, 2, 3, 4], { maxEntries: 2 })).toEqual([1, 2, '… (2 more)']);
  expect(trimArgs({ a: 1, b: 2, c: 3 }, { maxEntries: 2 })).toEqual({ a: 1, b: 2, '…': '1 more' });
  expect(trimArgs({ a: { b: [1], c: {}, d: { e: 1 } } }, { maxDepth: 2 })).toEqual({
    a: { b: '[…]', c: {}, d: '{…}' },
  });
});

test('keeps all texts together within the room', () => {
  const args = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`k${String(index)}`, 'x'.repeat(500)]),
  );
  const text = JSON.stringify(trimArgs(args));
  expect(text.length).toBeLessThan(2_500);
  expect(text).toContain('more');
});

test('does not cost what a large argument costs', () => {
  let reads = 0;
  const list = new Proxy(new Array<number>(1_000_000).fill(0), {
    get: (target, key, receiver) => {
      reads += 1;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  expect(trimArgs({ list: list.slice(0, 100_000) })).toHaveProperty('list.20', '… (99980 more)');
  reads = 0;
  trimArgs(list);
  expect(reads).toBeLessThan(100);
});

test('never throws, and gives JSON', () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const hostile = {
    get bad(): never {
      throw new Error('x');
    },
  };
  expect(trimArgs({ proxy, hostile, n: 1n, u: undefined })).toEqual({
    proxy: '[unreadable]',
    hostile: '[unreadable]',
    n: { $ctx: 'bigint', value: '1' },
    u: { $ctx: 'undefined' },
  });
  fc.assert(
    fc.property(
      fc.anything({ withBigInt: true, withMap: true, withSet: true, withDate: true }),
      (value) => {
        const trimmed = trimArgs(value);
        expect(JSON.parse(JSON.stringify(trimmed))).toEqual(trimmed);
      },
    ),
  );
});

test('ends on cycles and keeps own keys named __proto__', () => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  expect(trimArgs(cycle, { maxDepth: 2 })).toEqual({ self: { self: '{…}' } });
  const trimmed = trimArgs(JSON.parse('{"__proto__":{"a":1}}'));
  expect(JSON.stringify(trimmed)).toBe('{"__proto__":{"a":1}}');
});
