import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FlushPiece, type FlushRequest, isColdRequest, sumFlushTrace } from './flush-trace.ts';
import type { Segment } from './prefix-trie.ts';

const tokensOf = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { tokens }) => sum + tokens, 0);

/** A piece whose segments no other piece has; `kept` of them stay when it leaves, and `added` come behind those. */
const somePiece = fc.record({
  whole: fc.array(fc.nat({ max: 9 }), { maxLength: 4 }),
  leaves: fc.boolean(),
  kept: fc.nat({ max: 4 }),
  added: fc.array(fc.nat({ max: 9 }), { maxLength: 2 }),
});

const somePieces = fc.array(somePiece, { maxLength: 8 }).map((drawn) =>
  drawn.map(({ whole, leaves, kept, added }, at): FlushPiece => {
    const segments = whole.map((tokens, index) => ({ id: `${at}-${index}`, tokens }));
    const stubs = added.map((tokens, index) => ({ id: `${at}-stub-${index}`, tokens }));
    return { whole: segments, ...(leaves && { left: [...segments.slice(0, kept), ...stubs] }) };
  }),
);

/** What a request holds: the first pieces of the log, with what left of those before the frontier. */
function rendered(pieces: readonly FlushPiece[], count: number, frontier: number): Segment[] {
  return pieces
    .slice(0, count)
    .flatMap(({ whole, left }, at) => (at < frontier ? (left ?? whole) : whole));
}

function keptTokens(before: readonly Segment[], after: readonly Segment[]): number {
  const isSame =
    before.length === after.length && before.every(({ id }, at) => after[at]?.id === id);
  if (isSame) return Number.POSITIVE_INFINITY;
  const first = before.findIndex(({ id }, at) => after[at]?.id !== id);
  return tokensOf(first === -1 ? before : before.slice(0, first));
}

test('sums of a trace are those of the requests that it stands for', () => {
  fc.assert(
    fc.property(somePieces, fc.nat(), fc.nat(), fc.nat(), (pieces, ...places) => {
      const sums = sumFlushTrace({ pieces, requests: [] });
      const [from = 0, to = 0, count = 0] = places
        .map((place) => place % (pieces.length + 1))
        .toSorted((left, right) => left - right);
      const [before, after] = [from, to].map((place) => rendered(pieces, count, place));
      expect(sums.length(count, to)).toBe(tokensOf(after ?? []));
      expect(sums.saved(from, to)).toBe(tokensOf(before ?? []) - tokensOf(after ?? []));
      expect(sums.kept(from, to)).toBe(keptTokens(before ?? [], after ?? []));
    }),
    { numRuns: 200 },
  );
});

test('a request is cold if it is the first, or comes later than the cache lives', () => {
  const at = (time: number): FlushRequest => ({ time, pieces: 1, mayLeave: 0, outputTokens: 0 });
  const requests = [at(5), at(15), at(26), at(27)];
  const cold = requests.map((_, index) => isColdRequest(requests, index, { lifetimeMs: 10 }));
  expect(cold).toEqual([true, false, true, false]);
  expect(isColdRequest(requests, 4, { lifetimeMs: 10 })).toBe(true);
});
