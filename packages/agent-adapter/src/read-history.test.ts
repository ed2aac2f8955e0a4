import { expect, it } from 'vitest';
import { readHistory } from './read-history.ts';
import { readOnce } from './read-once.ts';

interface Said {
  content: unknown;
}

function counted() {
  const counts = { reads: 0 };
  const read = readHistory(
    readOnce((given: Said) => {
      counts.reads += 1;
      return { said: JSON.stringify(given) };
    }),
  );
  return { counts, read };
}

const message = (index: number): Said => ({
  content: [{ type: 'text', text: `m${String(index)}` }],
});

it('reads only what is new, also where the host makes all of its objects anew', () => {
  for (const isKept of [true, false]) {
    const { counts, read } = counted();
    const kept = Array.from({ length: 1000 }, (_, index) => message(index));
    const perStep = kept.map((_, step) => {
      const before = counts.reads;
      read(kept.slice(0, step + 1).map((each, index) => (isKept ? each : message(index))));
      return counts.reads - before;
    });
    expect(new Set(perStep)).toEqual(new Set([1]));
  }
});

it('gives the same answers for the same list, and others from where a list differs', () => {
  const { read } = counted();
  const first = read([message(1), message(2), message(3)]);
  const second = read([message(1), message(7), message(3)]);
  expect(second[0]).toBe(first[0]);
  expect(second[1]).not.toBe(first[1]);
  expect(second[2]).toBe(first[2]);
  expect(read([])).toEqual([]);
});

it('sees what a host changed in place in an object that stands for its successors', () => {
  const { read } = counted();
  const given = message(1);
  read([given]);
  const anew = message(1);
  read([anew]);
  given.content = 'changed';
  expect(read([message(1)])[0]?.said).toContain('m1');
  expect(read([given])[0]?.said).toContain('changed');
});
