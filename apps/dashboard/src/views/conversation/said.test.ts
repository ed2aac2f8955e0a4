import { expect, it } from 'vitest';
import { makeSegment } from '../../test-support/make-segment.ts';
import { requestOf } from './conversation-view.tsx';
import { foldedText } from './said.tsx';

it('a call is named once, and thinking without a text shows no signature', () => {
  const call = makeSegment({ kind: 'call', toolName: 'Grep', shown: 'Grep { "pattern": "x" }' });
  expect(foldedText(call).trim()).toBe('{ "pattern": "x" }');
  const signed = makeSegment({ kind: 'other', what: 'thinking', shown: '{ "signature": "CAIS" }' });
  expect(foldedText(signed)).not.toContain('CAIS');
});

it('an answer belongs to the request before it, and what came in to the request that carried it first', () => {
  const requests = [
    { number: 1, messages: 1 },
    { number: 2, messages: 3 },
  ];
  const of = (kind: 'user' | 'assistant', message: number) =>
    requestOf(makeSegment({ kind, message }), requests);
  expect([of('user', 0), of('assistant', 1), of('user', 2), of('assistant', 3)]).toEqual([
    1, 1, 2, 2,
  ]);
  expect(of('user', 4)).toBeUndefined();
});
