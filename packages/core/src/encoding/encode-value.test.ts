import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeValue } from './decode-value.ts';
import { encodeValue } from './encode-value.ts';

/** What `npm test` tries of what the campaign does. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.2;

/** As a store does it: through JSON text. */
function throughJson(value: unknown): unknown {
  return decodeValue(JSON.parse(JSON.stringify(encodeValue(value))));
}

/** Depth of plain JSON data, without recursion. */
function depthOf(root: unknown): number {
  const childrenOf = (value: unknown): unknown[] =>
    typeof value === 'object' && value !== null ? Object.values(value) : [];
  let level: unknown[] = [root];
  let depth = 0;
  for (; level.length > 0; depth += 1) {
    level = level.flatMap(childrenOf);
  }
  return depth - 1;
}

function deepArray(depth: number): unknown[] {
  let value: unknown[] = [];
  for (let level = 1; level < depth; level += 1) value = [value];
  return value;
}

/** What `JSON.parse` may give, but for −0. */
const anyJson = fc.json().map((text): unknown => JSON.parse(text.replaceAll('-0', '0')));

describe('JSON values', () => {
  test('stay as they are', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(encodeValue(value)).toEqual(value);
      }),
    );
  });

  test('come back equal also where they look like tags', () => {
    const tagLike = fc.dictionary(
      fc.constantFrom('$ctx', 'value', 'entries', 'nodes', 'own', '__proto__', 'length', 'type'),
      fc.constantFrom('map', 'table', 'object', 'undefined', 'described', 'bigint', '1', 'array'),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        tagLike,
        fc.array(tie('tree')),
        fc.dictionary(fc.constantFrom('$ctx', 'value', 'own'), tie('tree')),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        expect(throughJson(value)).toStrictEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 500 * share },
    );
  });

  test('come back equal when they are built out of our own tags, at every depth', () => {
    const names = ['object', 'map', 'set', 'array', 'error', 'bytes', 'date', 'table', 'described'];
    const leaf = fc.constantFrom<unknown>('a', 1, null, 'NaN', '2020-01-01T00:00:00.000Z', 'AQ==');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5, depthSize: 'large' },
        leaf,
        fc.array(tie('tree'), { maxLength: 2 }),
        fc.record(
          {
            $ctx: fc.constantFrom(...names, 'number', 'bigint', 'undefined', 'regexp', 'url'),
            value: tie('tree'),
            own: tie('tree'),
            entries: fc.oneof(fc.constant([]), fc.array(fc.tuple(tie('tree'), tie('tree')))),
            values: fc.array(tie('tree'), { maxLength: 2 }),
            nodes: fc.array(tie('tree'), { maxLength: 2 }),
            length: fc.constantFrom(0, 1, 3),
            type: fc.constant('Buffer'),
            base64: fc.constant('AQ=='),
          },
          { requiredKeys: ['$ctx'], noNullPrototype: true },
        ),
      ),
    }));
    const holders = fc.oneof(
      tree,
      tree.map((value) => new Map([[value, value]])),
      tree.map((value) => new Set([value])),
      tree.map((value) => Object.assign(new Array(2), { $ctx: 'object', value })),
      tree.map((value) => Object.assign(new Error('e'), { $ctx: 'object', value })),
      tree.map((value) => new Error('e', { cause: value })),
    );
    fc.assert(
      fc.property(holders, (value) => {
        expect(throughJson(value)).toStrictEqual(value);
      }),
      { numRuns: 2_000 * share },
    );
  });

  test.each([
    [{ $ctx: 'object', value: { a: 1 }, other: 'kept' }],
    [{ $ctx: 'object', value: { $ctx: 'map', entries: [] } }],
    [[{ $ctx: 'object', value: { $ctx: 'bytes', type: 'Buffer', base64: 'AQ==' } }]],
    [{ $ctx: 'object', value: { $ctx: 'object', value: { $ctx: 'object', value: {} } } }],
  ])('%j, which forges the wrapper of a tag, comes back as it is', (value) => {
    expect(throughJson(value)).toStrictEqual(value);
  });

  test('that look like a tag are wrapped, so that they are not taken for one', () => {
    expect(encodeValue({ $ctx: 'bigint', value: '1' })).toEqual({
      $ctx: 'object',
      value: { $ctx: 'bigint', value: '1' },
    });
  });

  test('keep own keys named __proto__ and never set a prototype', () => {
    const value: unknown = JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":1}}',
    );
    const back = throughJson(value);
    expect(JSON.stringify(back)).toBe(JSON.stringify(value));
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  test('keep lone surrogates and U+0000', () => {
    const value = { 'a\ud800': ['\udfff', '\0', 'a\0b'] };
    expect(throughJson(value)).toStrictEqual(value);
  });
});

describe('what JSON has no form for', () => {
  test('comes back equal', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
      withObjectString: true,
      maxDepth: 4,
    });
    fc.assert(
      fc.property(anything, (value) => {
        expect(throughJson(value)).toStrictEqual(value);
      }),
      { numRuns: 1_000 * share },
    );
  });

  test.each([
    ['undefined', undefined, { $ctx: 'undefined' }],
    ['NaN', Number.NaN, { $ctx: 'number', value: 'NaN' }],
    ['minus infinity', Number.NEGATIVE_INFINITY, { $ctx: 'number', value: '-Infinity' }],
    ['minus zero', -0, { $ctx: 'number', value: '-0' }],
    ['a bigint', -12n, { $ctx: 'bigint', value: '-12' }],
    ['a big bigint', -(2n ** 64n), { $ctx: 'bigint', value: '-0x10000000000000000' }],
    ['a date', new Date(0), { $ctx: 'date', value: '1970-01-01T00:00:00.000Z' }],
    ['an invalid date', new Date(Number.NaN), { $ctx: 'date', value: null }],
    [
      'a map',
      new Map([['a', 1n]]),
      { $ctx: 'map', entries: [['a', { $ctx: 'bigint', value: '1' }]] },
    ],
    ['a set', new Set([1]), { $ctx: 'set', values: [1] }],
    ['a pattern', /a+/gi, { $ctx: 'regexp', source: 'a+', flags: 'gi' }],
    ['a URL', new URL('https://example.org/a'), { $ctx: 'url', href: 'https://example.org/a' }],
    ['bytes', new Uint8Array([1]), { $ctx: 'bytes', type: 'Uint8Array', base64: 'AQ==' }],
    ['a buffer', Buffer.from('a'), { $ctx: 'bytes', type: 'Buffer', base64: 'YQ==' }],
    [
      'a view',
      new DataView(new ArrayBuffer(1)),
      { $ctx: 'bytes', type: 'DataView', base64: 'AA==' },
    ],
    ['an array buffer', new ArrayBuffer(1), { $ctx: 'bytes', type: 'ArrayBuffer', base64: 'AA==' }],
    ['holes', Object.assign(new Array(2), { 1: 1 }), { $ctx: 'array', length: 2, own: { 1: 1 } }],
  ])('%s has a readable form and comes back', (_, value, encoded) => {
    expect(encodeValue(value)).toStrictEqual(encoded);
    expect(throughJson(value)).toStrictEqual(value);
  });

  test('keeps only the bytes that a buffer shows of its memory', () => {
    const memory = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(throughJson(new Uint16Array(memory.buffer, 2, 2))).toStrictEqual(
      new Uint16Array([0x0403, 0x0605]),
    );
    expect(throughJson(Buffer.from(memory.buffer, 6, 2))).toStrictEqual(Buffer.from([7, 8]));
  });

  test('unwraps boxed primitives', () => {
    expect(encodeValue([Object(1), Object('a'), Object(false), Object(2n)])).toEqual([
      1,
      'a',
      false,
      { $ctx: 'bigint', value: '2' },
    ]);
  });

  test('keeps other properties of an array', () => {
    const value = Object.assign(['a'], { index: 3, $ctx: 'object', value: {} });
    expect(throughJson(value)).toStrictEqual(value);
    expect(Object.entries(throughJson(value) ?? [])).toEqual(Object.entries(value));
  });
});

describe('errors', () => {
  test('keep name, message, stack, cause and own properties', () => {
    const cause = new TypeError('inner');
    const error = Object.assign(new RangeError('outer', { cause }), { code: 'E_X', $ctx: 'map' });
    const back = throughJson(error);
    expect(back).toBeInstanceOf(RangeError);
    expect(back).toStrictEqual(error);
    expect(back).toMatchObject({
      name: 'RangeError',
      code: 'E_X',
      $ctx: 'map',
      stack: error.stack,
    });
    expect(back).toHaveProperty('cause.stack', cause.stack);
    expect(Object.keys(back ?? {})).toEqual(['code', '$ctx']);
  });

  test('of other classes come back as errors with their name', () => {
    class HttpError extends Error {
      override readonly name = 'HttpError';
      readonly status = 404;
    }
    const back = throughJson(new HttpError('gone'));
    expect(back).toBeInstanceOf(Error);
    expect(back).toMatchObject({ name: 'HttpError', message: 'gone', status: 404 });
  });

  test('keep the errors of an AggregateError', () => {
    const back = throughJson(new AggregateError([new Error('a')], 'many'));
    expect(back).toMatchObject({ name: 'AggregateError', message: 'many' });
    expect(back).toHaveProperty('errors.0.message', 'a');
  });

  test('from another realm are errors too', () => {
    const foreign = { name: 'Error', message: 'x', stack: 's' };
    Object.setPrototypeOf(foreign, { [Symbol.toStringTag]: 'Error' });
    expect(throughJson(foreign)).toMatchObject({ message: 'x', stack: 's' });
    expect(throughJson(foreign)).toBeInstanceOf(Error);
  });
});

describe('what cannot be kept', () => {
  test('is described', () => {
    class Point {
      readonly x = 1;
    }
    const named = function work(): void {};
    expect(encodeValue([named, () => 1, Symbol('s'), new Point(), Promise.resolve()])).toEqual([
      { $ctx: 'described', type: 'function', text: 'function work' },
      { $ctx: 'described', type: 'function', text: 'function' },
      { $ctx: 'described', type: 'symbol', text: 'Symbol(s)' },
      { $ctx: 'described', type: 'instance', class: 'Point', value: { x: 1 } },
      { $ctx: 'described', type: 'instance', class: 'Promise', value: {} },
    ]);
  });

  test('stays as described when it is stored again', () => {
    const once = encodeValue({ f: Math.max, s: Symbol('a') });
    expect(encodeValue(decodeValue(once))).toEqual(once);
  });

  test('is described by toJSON where an instance has it', () => {
    class Money {
      toJSON(): unknown {
        return { amount: 3n };
      }
    }
    expect(encodeValue(new Money())).toEqual({
      $ctx: 'described',
      type: 'instance',
      class: 'Money',
      value: { amount: { $ctx: 'bigint', value: '3' } },
    });
  });

  test('says why where toJSON throws, and shows the properties', () => {
    class Broken {
      readonly part = 1;
      toJSON(): never {
        throw new Error('no');
      }
    }
    expect(encodeValue(new Broken())).toEqual({
      $ctx: 'described',
      type: 'instance',
      class: 'Broken',
      problem: 'Error: no',
      value: { part: 1 },
    });
  });

  test('does not call a toJSON of plain data', () => {
    expect(encodeValue({ toJSON: () => 'forged' })).toHaveProperty('toJSON.type', 'function');
  });

  test('is described where reading throws, and the rest is kept', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const value = {
      get bad(): never {
        throw new Error('getter');
      },
      revoked: proxy,
      hostile: {
        get worse(): never {
          // biome-ignore lint: a value whose own text throws
          throw Object.create(null);
        },
      },
      good: 1,
    };
    const encoded = encodeValue(value);
    expect(encoded).toMatchObject({
      bad: { $ctx: 'described', type: 'unreadable', text: 'Error: getter' },
      revoked: { $ctx: 'described', type: 'unreadable' },
      hostile: { worse: { type: 'unreadable', text: 'an error without a text' } },
      good: 1,
    });
  });

  test('never throws whatever a proxy does', () => {
    const traps: (keyof ProxyHandler<object>)[] = [
      'get',
      'getOwnPropertyDescriptor',
      'getPrototypeOf',
      'has',
      'ownKeys',
    ];
    const targets = [
      { a: 1 },
      [1],
      () => 1,
      new Map(),
      new Error('x'),
      new Date(),
      Promise.resolve(),
    ];
    for (const trap of traps) {
      for (const target of targets) {
        const hostile = (): never => {
          throw new Error(trap);
        };
        const proxy = new Proxy(target, { [trap]: hostile });
        expect(typeof JSON.stringify(encodeValue([proxy, 'rest']))).toBe('string');
      }
    }
  });

  test('ends where a value grows while it is read', () => {
    const endless = new Proxy([], {
      get: (_, key) => (key === 'length' ? 2 ** 40 : 0),
      getOwnPropertyDescriptor: () => ({ value: 0, configurable: true, enumerable: true }),
    });
    expect(encodeValue(endless, { maxValues: 4 })).toEqual([
      0,
      0,
      0,
      { $ctx: 'described', type: 'omitted', text: 'more than 4 values' },
    ]);
  });
});

test('lists that are copied in one step count with the rest', () => {
  const omitted = { $ctx: 'described', type: 'omitted', text: 'more than 6 values' };
  const lists = { a: [1, 2], b: [3, 4], c: [5] };
  const found = { a: [1, 2], b: [omitted, omitted], c: [omitted] };
  expect(encodeValue(lists, { maxValues: 6 })).toEqual(found);
});

test.each([
  ['numbers', (index: number) => index],
  ['objects', (index: number) => ({ name: 'x', index })],
])('a list of 50,000 %s is its own encoded form', (_name, make) => {
  const list = Array.from({ length: 50_000 }, (_, index) => make(index));
  expect(encodeValue({ list })).toEqual({ list });
});

describe('cycles, sharing and depth', () => {
  test('ties cycles again', () => {
    const value: Record<string, unknown> = { name: 'root' };
    value['self'] = value;
    value['list'] = [value];
    const back = throughJson(value);
    expect(back).toHaveProperty('name', 'root');
    expect(Reflect.get(Object(back), 'self')).toBe(back);
    expect(Reflect.get(Object(back), 'list')).toEqual([back]);
  });

  test('ties cycles through maps, sets, errors and wrapped objects', () => {
    const map = new Map<unknown, unknown>();
    const error = new Error('x', { cause: map });
    const tagLike = { $ctx: 'map', error };
    map.set(map, new Set([error, tagLike]));
    const back = throughJson(map);
    expect(back).toBeInstanceOf(Map);
    const entries: [unknown, unknown][] = back instanceof Map ? [...back] : [];
    const [key, set] = entries[0] ?? [];
    expect(key === back).toBe(true);
    const parts: unknown[] = set instanceof Set ? [...set] : [];
    const [first, second] = parts;
    expect(first instanceof Error && first.cause === back).toBe(true);
    expect(Reflect.get(Object(second), '$ctx')).toBe('map');
    expect(Reflect.get(Object(second), 'error') === first).toBe(true);
  });

  test('writes a cycle as a flat table', () => {
    const value: unknown[] = [1];
    value.push({ b: value, a: [] });
    expect(encodeValue(value)).toEqual({
      $ctx: 'table',
      nodes: [[1, [1]], { b: [0], a: [2] }, []],
    });
  });

  test('writes a shared object out again where that is cheap', () => {
    const shared = { a: 1 };
    expect(JSON.stringify(encodeValue([shared, shared]))).toBe('[{"a":1},{"a":1}]');
  });

  test('does not let shared objects multiply', () => {
    let value: unknown[] = [];
    for (let level = 0; level < 60; level += 1) value = [value, value];
    const text = JSON.stringify(encodeValue(value));
    expect(text.length).toBeLessThan(2_000);
    const back: unknown = decodeValue(JSON.parse(text));
    expect(Array.isArray(back) && back[0]).toBe(Array.isArray(back) && back[1]);
  });

  test('counts long texts when it weighs shared objects', () => {
    const shared = { text: 'x'.repeat(1_000_000) };
    expect(JSON.stringify(encodeValue([shared, shared])).length).toBeLessThan(1_100_000);
  });

  test('is nested up to a depth of 200 and flat beyond', () => {
    expect(depthOf(encodeValue(deepArray(200)))).toBe(199);
    expect(encodeValue(deepArray(200))).toEqual(deepArray(200));
    expect(depthOf(encodeValue(deepArray(201)))).toBe(4);
  });

  const deep = 100_000 * share;

  test(`takes a depth of ${String(deep)}`, () => {
    let value: unknown = 'leaf';
    for (let level = 0; level < deep; level += 1) {
      value = level % 2 === 0 ? [value] : { $ctx: value };
    }
    let back = throughJson(value);
    let depth = 0;
    while (typeof back === 'object' && back !== null) {
      back = Object.values(back)[0];
      depth += 1;
    }
    expect([depth, back]).toEqual([deep, 'leaf']);
  });

  test('keeps random graphs of objects', () => {
    const edges = fc.array(fc.tuple(fc.nat(9), fc.nat(9), fc.constantFrom('a', '$ctx', 'b')));
    fc.assert(
      fc.property(edges, (list) => {
        const nodes = Array.from({ length: 10 }, (_, id): Record<string, unknown> => ({ id }));
        for (const [from, to, key] of list) Object.assign(nodes[from] ?? {}, { [key]: nodes[to] });
        expect(throughJson(nodes)).toStrictEqual(nodes);
      }),
    );
  });
});
