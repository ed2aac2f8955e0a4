import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Router } from 'wouter';
import type { RequestDiff } from '../../api/queries.ts';
import { CacheCard } from './cache-card.tsx';

function textOf(reportedTokens: number, cache: Partial<RequestDiff['cache']> = {}): string {
  const prices = { price: 'anthropic-5m', pricesDate: '2026-11-05' };
  const missed = { ute: 1.15, dollars: 0.000_003 };
  const diff: RequestDiff = {
    ...{ number: 2, tokensBefore: 20_000, tokensAfter: 30_000, fixedBefore: 0, fixedAfter: 0 },
    ...{ sums: [], pieces: [] },
    cache: { ...prices, expectedTokens: 20_000, reportedTokens, missed, findings: [], ...cache },
  };
  const page = (
    <Router ssrPath="/">
      <CacheCard session="s" diff={diff} />
    </Router>
  );
  return renderToStaticMarkup(page).replaceAll(/<[^>]+>/g, ' ');
}

it('a prefix that is whole and that the provider did not find in its cache is a miss, and its tokens are paid for again, at a price', () => {
  const text = textOf(2000);
  expect(text).toContain('Cache miss');
  expect(text).toContain(
    'lacked tokens that both requests begin with: 18,000 tokens paid for again',
  );
  expect(text).toContain('equivalent to 20,700 extra uncached tokens, $0.05');
  expect(text).not.toContain('Nothing that was sent before is paid for again');
  expect(textOf(19_000)).toContain('Nothing that was sent before is paid for again');
});

it('of a prefix that was cut only what both requests begin with can be missed', () => {
  const firstChange = { segment: 3, kind: 'result' as const, byte: 0, prefixTokens: 5000 };
  expect(textOf(4900, { firstChange })).toContain('Prefix cut, nothing paid for again');
  expect(textOf(0, { firstChange })).toContain('begin with: 5,000 tokens paid for again');
});

it('requests whose system prompts differ have no beginning in common', () => {
  const firstChange = { segment: 3, kind: 'result' as const, byte: 0, prefixTokens: 5000 };
  const finding = { cause: 'system', tokens: 9000, ute: 10_350, dollars: 0.03, fix: 'Keep it.' };
  const text = textOf(0, { firstChange, findings: [finding] });
  expect(text).toContain('The requests differ before their first message.');
  expect(text).not.toContain('Both requests begin with');
});
