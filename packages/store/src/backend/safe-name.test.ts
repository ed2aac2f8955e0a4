import { fingerprintText } from '@ctx/core/encoding';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idOfSafeName, safeNameOf } from './safe-name.ts';

const anyId = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    '..',
    '.',
    'CON',
    'nul',
    'NUL.txt',
    '../../etc',
    'C:\\x',
    '\ud800',
    '\u00e4',
    'a\u0308',
  ),
  fc
    .array(fc.constantFrom('a', 'A', '+', '=', '~', 'k', 'K', '\u212a'), { maxLength: 150 })
    .map((x) => x.join('')),
);

test.each([
  ['grep_a1b2c3_17000-4', 'grep_a1b2c3_17000-4'],
  ['readFile_a1b2', 'read+file_a1b2'],
  ['', '=empty'],
  ['=empty', '=3dempty'],
  ['.', '=2e'],
  ['..', '=2e=2e'],
  ['-rf', '=2drf'],
  ['a/b\\c:d e', 'a=2fb=5cc=3ad=20e'],
  ['con', '=63on'],
  ['CON', '+c+o+n'],
  ['lpt9', '=6cpt9'],
  ['com10', 'com10'],
  ['NUL.txt', '+n+u+l=2etxt'],
  ['ä😀', '=u00e4=ud83d=ude00'],
  ['a\0', 'a=00'],
])('names %j %j and reads it back', (id, name) => {
  expect(safeNameOf(id)).toBe(name);
  expect(idOfSafeName(name)).toBe(id);
});

test('gives names that every file system takes', () => {
  fc.assert(
    fc.property(anyId, (id) => {
      const name = safeNameOf(id);
      expect(name).toMatch(/^[a-z0-9_=+][a-z0-9_=+~-]*$/);
      expect(name.length).toBeLessThanOrEqual(120);
      expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)$/);
    }),
    { numRuns: 1_000 },
  );
});

test('gives the id back unless the name was shortened', () => {
  fc.assert(
    fc.property(anyId, (id) => {
      const name = safeNameOf(id);
      expect(idOfSafeName(name)).toBe(name.includes('~') ? undefined : id);
    }),
    { numRuns: 1_000 },
  );
});

test('gives different names to different ids', () => {
  fc.assert(
    fc.property(anyId, anyId, (a, b) => {
      expect(safeNameOf(a) === safeNameOf(b)).toBe(a === b);
    }),
    { numRuns: 1_000 },
  );
});

test('keeps 120 signs whole and shortens 121 to a readable beginning and a hash', () => {
  const fits = 'a'.repeat(120);
  const long = 'a'.repeat(121);
  expect(safeNameOf(fits)).toBe(fits);
  expect(safeNameOf(long)).toBe(`${'a'.repeat(87)}~${fingerprintText(long).slice(0, 32)}`);
  expect(idOfSafeName(safeNameOf(long))).toBeUndefined();
});

test('never cuts inside of an escape', () => {
  expect(safeNameOf('ä'.repeat(50))).toMatch(/^(=u00e4){14}~[0-9a-f]{32}$/);
});

test.each([
  'A',
  '=2E',
  '=61',
  '+1',
  'a.b',
  '=',
  '~x',
  'a~b',
  '=u0061',
  'a'.repeat(121),
  'con',
  '-x',
])('knows that %j is no name of ours', (name) => {
  expect(idOfSafeName(name)).toBeUndefined();
});
