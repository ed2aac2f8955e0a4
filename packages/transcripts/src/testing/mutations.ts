import fc from 'fast-check';
import { bytesOf } from './text-source.ts';

/** One change of the bytes of a file. Places are shares of its length. */
interface Mutation {
  readonly kind: 'flip' | 'drop' | 'double' | 'zero' | 'put' | 'cut' | 'move';
  readonly at: number;
  readonly to: number;
  readonly length: number;
  readonly put: string;
}

const puts = [
  '"',
  '\\',
  '{',
  ']',
  '}{',
  '\n',
  'null',
  '1e999',
  '[]',
  String.raw`"\ud800"`,
  '"__proto__":{"x":1},',
  '"role":7,',
  '"type":"unheard-of",',
  '"id":"same",',
  '"parentUuid":"same","uuid":"same",',
  '\uFEFF',
  '['.repeat(3_000),
  `${'['.repeat(20_000)}${']'.repeat(20_000)},`,
  `"deep":${'['.repeat(20_000)}${']'.repeat(20_000)},`,
  '{"a":'.repeat(2_000),
  'x'.repeat(100_000),
];

const anyMutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('flip', 'drop', 'double', 'zero', 'put', 'put', 'cut', 'move'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  to: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 300 }),
  put: fc.constantFrom(...puts),
});

/** One to four changes, one after the other. */
export const anyMutations: fc.Arbitrary<readonly Mutation[]> = fc.array(anyMutation, {
  minLength: 1,
  maxLength: 4,
});

/** The bytes after the changes. */
export function mutated(bytes: Uint8Array, mutations: readonly Mutation[]): Uint8Array {
  return mutations.reduce(mutate, bytes);
}

function mutate(bytes: Uint8Array, { kind, at, to, length, put }: Mutation): Uint8Array {
  const start = Math.floor(at * bytes.length);
  const part = bytes.subarray(start, start + length);
  const before = bytes.subarray(0, start);
  const after = bytes.subarray(start + part.length);
  switch (kind) {
    case 'flip':
      return joined(
        before,
        part.map((byte) => byte ^ (1 << (length % 8))),
        after,
      );
    case 'zero':
      return joined(before, new Uint8Array(part.length), after);
    case 'drop':
      return joined(before, after);
    case 'double':
      return joined(before, part, part, after);
    case 'put':
      return joined(before, bytesOf(put), bytes.subarray(start));
    case 'cut':
      return before;
    case 'move': {
      const rest = joined(before, after);
      const place = Math.floor(to * rest.length);
      return joined(rest.subarray(0, place), part, rest.subarray(place));
    }
  }
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
