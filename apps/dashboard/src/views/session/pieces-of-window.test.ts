import { expect, it } from 'vitest';
import { makeSegment } from '../../test-support/make-segment.ts';
import { sumByTool } from './pieces-of-window.tsx';

it('a tool is charged for its calls and results, in view and gone, and the largest stands first', () => {
  const segments = [
    makeSegment({ kind: 'user' }),
    makeSegment({ toolName: 'Grep', kind: 'call', tokensBefore: 5, tokensAfter: 5 }),
    makeSegment({ toolName: 'Read', kind: 'call', tokensBefore: 10, tokensAfter: 10 }),
    makeSegment({ toolName: 'Read', tokensBefore: 900, tokensAfter: 40 }),
    makeSegment({ toolName: 'Read', tokensBefore: 7, tokensAfter: 9 }),
  ];
  expect(sumByTool(segments)).toEqual([
    { tool: 'Read', calls: 1, inView: 59, left: 860 },
    { tool: 'Grep', calls: 1, inView: 5, left: 0 },
  ]);
});
