import { expect, it } from 'vitest';
import { makeSegment } from '../../test-support/make-segment.ts';
import { leftBetween } from './left-pieces.tsx';

const ledger = { form: 'ledger', cause: 'hard' };

it('what left stands in the order of what it gave back, the largest first', () => {
  const before = [0, 1, 2].map((segment) => makeSegment({ segment }));
  const after = [
    makeSegment({ segment: 0, tokensAfter: 90, ...ledger }),
    makeSegment({ segment: 1, tokensAfter: 10, ...ledger }),
    makeSegment({ segment: 2, tokensAfter: 50, ...ledger }),
  ];
  expect(leftBetween(before, after).map(({ segment }) => segment)).toEqual([1, 2, 0]);
});

it('what had left before, and what came in changed, did not leave now', () => {
  const gone = makeSegment({ segment: 0, tokensAfter: 10, ...ledger });
  const preview = makeSegment({ segment: 1, tokensAfter: 40, form: 'preview' });
  expect(leftBetween([gone], [gone, preview])).toEqual([]);
});

it('what left once more, or came in and left at once, left now', () => {
  const stub = makeSegment({ segment: 0, tokensAfter: 30, form: 'stub', cause: 'free' });
  const gone = makeSegment({ segment: 0, tokensAfter: 0, form: 'gone', cause: 'hard' });
  expect(leftBetween([stub], [gone])).toEqual([gone]);
  expect(leftBetween([], [gone])).toEqual([gone]);
});

it('what the provider of the later request counts otherwise did not leave for it', () => {
  const stub = makeSegment({ segment: 0, tokensAfter: 30, form: 'stub', cause: 'free' });
  const scaled = { ...stub, tokensBefore: 107, tokensAfter: 32.1 };
  expect(leftBetween([stub], [scaled])).toEqual([]);
});
