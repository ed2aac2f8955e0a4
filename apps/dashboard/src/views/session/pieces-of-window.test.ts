import { expect, it } from 'vitest';
import { makeSegment } from '../../test-support/make-segment.ts';
import { serverOf, sumByTool } from './pieces-of-window.tsx';

it('a tool is charged for its calls and results, in view and gone, and the largest stands first', () => {
  const segments = [
    makeSegment({ kind: 'user' }),
    makeSegment({ toolName: 'Grep', kind: 'call', tokensBefore: 5, tokensAfter: 5 }),
    makeSegment({ toolName: 'Read', kind: 'call', tokensBefore: 10, tokensAfter: 10 }),
    makeSegment({ toolName: 'Read', tokensBefore: 900, tokensAfter: 40 }),
    makeSegment({ toolName: 'Read', tokensBefore: 7, tokensAfter: 9 }),
  ];
  expect(sumByTool(segments)).toEqual([
    { name: 'Read', calls: 1, inView: 59, left: 860 },
    { name: 'Grep', calls: 1, inView: 5, left: 0 },
  ]);
});

it('an MCP server is charged for all of its tools', () => {
  const segments = [
    'mcp__git_hub__list',
    'mcp__git_hub__read__file',
    'mcp__docs__find',
    'Read',
  ].map((toolName) => makeSegment({ toolName, kind: 'call', tokensBefore: 10, tokensAfter: 4 }));
  expect(sumByTool(segments, serverOf)).toEqual([
    { name: 'git_hub', calls: 2, inView: 8, left: 12 },
    { name: 'docs', calls: 1, inView: 4, left: 6 },
  ]);
});
