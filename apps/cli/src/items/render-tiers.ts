import { countedText, countText } from '@ctx/core/encoding';
import type { Tier } from '@ctx/core';
import colors from 'picocolors';
import type { CommandContext } from '../command-context.ts';
import type { TiersAnswer } from '../schemas/item.ts';
import { shareBar } from '../terminal/visible-text.ts';

/** Characters of the longest bar. */
const barWidth = 24;

type Paint = (text: string) => string;

function paintOf(hasColor: boolean): Readonly<Record<Tier, Paint>> {
  const { red, yellow, cyan } = colors.createColors(hasColor);
  return { hot: red, warm: yellow, cold: cyan };
}

/** An agent's tiers as bars of their tokens, with counts. The signs are our own, so that colours may stand between them. */
export function renderTiers({ hasColor }: CommandContext, answer: TiersAnswer): string {
  const paint = paintOf(hasColor);
  const tallies = [...answer.tiers, answer.archived];
  const counts = tallies.map(({ items }) => countedText(items, 'item'));
  const tokens = tallies.map((tally) => countText(tally.tokens));
  const widest = (texts: readonly string[]): number =>
    Math.max(...texts.map((text) => text.length));
  const numbers = (at: number): string =>
    `${(counts[at] ?? '').padStart(widest(counts))}  ${(tokens[at] ?? '').padStart(widest(tokens))} ${tallies[at]?.tokens === 1 ? 'token' : 'tokens'}`;
  const rows = answer.tiers.map((tally, at) => {
    const shown = paint[tally.tier](shareBar(tally.tokens / Math.max(1, answer.tokens), barWidth));
    return `${tally.tier.padEnd(8)}  ${shown}  ${numbers(at)}\n`;
  });
  const archived = `archived  ${' '.repeat(barWidth)}  ${numbers(answer.tiers.length)}\n`;
  return [...rows, ...(answer.archived.items === 0 ? [] : [archived])].join('');
}
