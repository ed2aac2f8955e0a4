import { expect, it } from 'vitest';
import { savedText } from './cost-card.tsx';

it('what ctx saved is said in dollars, and that its own agent decided it where ctx did not', () => {
  const cost = { models: [], carriedTokens: 1, everythingTokens: 2 };
  expect(savedText({ ...cost, savedDollars: 1.25 })).toContain('cost $1.25 less than that');
  expect(savedText({ ...cost, savedDollars: -0.5 })).toContain('cost $0.50 more than that');
  expect(savedText({ ...cost, savedDollars: 0.00001 })).toContain('cost <$0.0001 less');
  expect(savedText(cost)).toBe('Its own agent decided what to send, not ctx.');
});
