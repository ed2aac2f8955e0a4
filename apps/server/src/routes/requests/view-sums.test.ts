import { expect, it } from 'vitest';
import type { ShownSegment } from '../../windows/request-moment.ts';
import { toolsOf } from './view-sums.ts';

const segment = (part: Partial<ShownSegment>): ShownSegment => ({
  ...{ segment: 0, message: 0, kind: 'result', form: 'whole', why: 'as it came' },
  ...{ givenTokens: 0, tokens: 0, pointer: 'ctx://messages/0' },
  ...part,
});

it('a tool is charged for its calls and results, in view and gone, and the largest stands first', () => {
  const segments = [
    segment({ kind: 'user', givenTokens: 100, tokens: 100 }),
    segment({ toolName: 'Grep', kind: 'call', givenTokens: 5, tokens: 5 }),
    segment({ toolName: 'Read', kind: 'call', givenTokens: 10, tokens: 10 }),
    segment({ toolName: 'Read', givenTokens: 900, tokens: 40 }),
    segment({ toolName: 'Read', givenTokens: 7, tokens: 9 }),
  ];
  expect(toolsOf(segments)).toEqual([
    { name: 'Read', calls: 1, tokensAfter: 59, removed: 860 },
    { name: 'Grep', calls: 1, tokensAfter: 5, removed: 0 },
  ]);
});
