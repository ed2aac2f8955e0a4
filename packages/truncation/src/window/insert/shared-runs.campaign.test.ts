import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sharedRuns } from './shared-runs.ts';

const file = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${String(from + index)}`);

test('finds where the end of one page is the beginning of the next', () => {
  expect(sharedRuns(file(1, 100), file(50, 150))).toEqual([{ start: 0, end: 51 }]);
});

test('finds where a page ends with the beginning of one that was read before', () => {
  expect(sharedRuns(file(50, 150), file(1, 100))).toEqual([{ start: 49, end: 100 }]);
});

test('finds a page in the whole file, and the file around a page', () => {
  expect(sharedRuns(file(1, 200), file(20, 60))).toEqual([{ start: 0, end: 41 }]);
  expect(sharedRuns(file(20, 60), file(1, 200))).toEqual([{ start: 19, end: 60 }]);
});

test('finds both sides of a line that was edited in between', () => {
  const after = file(1, 60).with(29, 'edited');
  expect(sharedRuns(file(1, 60), after)).toEqual([
    { start: 0, end: 29 },
    { start: 30, end: 60 },
  ]);
});

test('is not misled by lines that stand everywhere', () => {
  const before = [...file(1, 20), '}', '', '}', '', ...file(21, 40)];
  const after = ['}', '', ...file(21, 40), '}'];
  expect(sharedRuns(before, after)).toEqual([{ start: 0, end: 22 }]);
});

test('finds nothing in fewer than ten lines, in other lines or in none', () => {
  expect(sharedRuns(file(1, 9), file(1, 9))).toEqual([]);
  expect(sharedRuns(file(1, 10), file(1, 10))).toEqual([{ start: 0, end: 10 }]);
  expect(sharedRuns(file(1, 50), file(51, 90))).toEqual([]);
  expect(sharedRuns([], [])).toEqual([]);
});

test('gives only runs that stand in the other text, in order, whatever the texts', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ...file(1, 30)), { maxLength: 80 });
  const pages = fc
    .tuple(fc.nat(80), fc.nat(80), fc.nat(80), fc.nat(80))
    .map(([a, b, c, d]) => [file(a, a + b), file(c, c + d)] as const);
  fc.assert(
    fc.property(fc.oneof(fc.tuple(lines, lines), pages), ([before, after]) => {
      const text = `\n${before.join('\n')}\n`;
      let last = 0;
      for (const { start, end } of sharedRuns(before, after)) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end - start).toBeGreaterThanOrEqual(10);
        expect(text).toContain(`\n${after.slice(start, end).join('\n')}\n`);
        last = end;
      }
    }),
  );
});
