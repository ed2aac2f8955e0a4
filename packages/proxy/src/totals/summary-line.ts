import type { ProxyTotals } from './account.ts';

function tokensText(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  return tokens < 1e6 ? `${(tokens / 1000).toFixed(1)}k` : `${(tokens / 1e6).toFixed(2)}M`;
}

/** One line about a run: what was sent, and what sending everything would have been. */
export function summaryLine(totals: ProxyTotals): string {
  const { requests, passed, inputTokens, plainTokens, dollars, plainDollars } = totals;
  const parts = [
    `${String(requests)} requests (${String(passed)} more passed as they came)`,
    `${tokensText(inputTokens)} tokens of input, ${tokensText(plainTokens)} had everything been sent`,
    `about $${dollars.toFixed(2)}, $${plainDollars.toFixed(2)} had everything been sent`,
  ];
  if (totals.failedOpen > 0)
    parts.push(`${String(totals.failedOpen)} went out unchanged because something failed`);
  if (totals.breaks > 0) parts.push(`${String(totals.breaks)} unexplained misses of the cache`);
  return `ctx: ${parts.join('; ')}`;
}
