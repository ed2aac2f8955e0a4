import { countedText } from '@ctx/core/encoding';
import type { ProxyTotals } from './account.ts';

function tokensText(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  return tokens < 1e6 ? `${(tokens / 1000).toFixed(1)}k` : `${(tokens / 1e6).toFixed(2)}M`;
}

/** The price of a request that was held out, beside one of the others and what that would have been: measured against estimated. */
function comparedText(totals: ProxyTotals): string {
  const { requests, heldOut, heldOutDollars, dollars, plainDollars } = totals;
  const each = (sum: number, count: number): string => `$${(sum / count).toFixed(4)}`;
  const others = requests - heldOut;
  const shaped = each(dollars - heldOutDollars, others);
  const plain = each(plainDollars - heldOutDollars, others);
  const compared = `, the others ${shaped}, estimated ${plain} had everything been sent`;
  return `${String(heldOut)} held out at ${each(heldOutDollars, heldOut)} each${others === 0 ? '' : compared}`;
}

/** One line about a run: what was sent, and what sending everything would have been. */
export function summaryLine(totals: ProxyTotals): string {
  const { requests, passed, inputTokens, plainTokens, dollars, plainDollars } = totals;
  const parts = [
    `${countedText(requests, 'request')} (${String(passed)} more passed as they came)`,
    `${tokensText(inputTokens)} tokens of input, ${tokensText(plainTokens)} had everything been sent`,
    `about $${dollars.toFixed(2)}, $${plainDollars.toFixed(2)} had everything been sent`,
  ];
  if (totals.heldOut > 0) parts.push(comparedText(totals));
  if (totals.failedOpen > 0)
    parts.push(`${String(totals.failedOpen)} went out unchanged because something failed`);
  if (totals.breaks > 0)
    parts.push(
      `${countedText(totals.breaks, 'unexplained miss', 'unexplained misses')} of the cache`,
    );
  return `ctx: ${parts.join('; ')}`;
}
