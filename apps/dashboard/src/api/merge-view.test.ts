import { expect, it } from 'vitest';
import { makeSegment } from '../test-support/make-segment.ts';
import { mergeView } from './merge-view.ts';
import type { View } from './queries.ts';

function view(segments: View['segments'], scale: number): View {
  const kinds = [{ kind: 'result' as const, segments: 2, tokensBefore: 0, tokensAfter: 0 }];
  const sizes = { tokens: 0, fixedTokens: 0, limitTokens: 0, windowTokens: 0, scale };
  return { number: 1, requests: 2, ...sizes, kinds, segments };
}

it('what did not change has its size on the scale of the other request', () => {
  const known = [makeSegment({ segment: 0 }), makeSegment({ segment: 1 })];
  const changed = makeSegment({ segment: 1, tokensBefore: 150, tokensAfter: 30 });
  const merged = mergeView(view(known, 1), view([changed], 1.5));
  expect(merged?.segments).toEqual([
    makeSegment({ segment: 0, tokensBefore: 150, tokensAfter: 150 }),
    changed,
  ]);
});
