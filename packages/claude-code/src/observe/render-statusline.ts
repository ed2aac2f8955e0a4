import type { Statusline } from './statusline.ts';

/** How a line is written. */
export interface LineStyle {
  /** Most characters. */
  readonly width: number;
  readonly hasColor: boolean;
}

const barCells = 10;

/** `812`, `9.2k`, `92k`, `1.2M`. */
export function shortCount(count: number): string {
  const [value, unit] = count >= 999_500 ? [count / 1e6, 'M'] : [count / 1000, 'k'];
  if (count < 1000) return String(Math.round(count));
  return `${value < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value))}${unit}`;
}

function fillOf({ usedTokens, windowTokens }: Statusline): number | undefined {
  if (usedTokens === undefined || windowTokens === undefined || windowTokens === 0)
    return undefined;
  return usedTokens / windowTokens;
}

function barOf(fill: number): string {
  const full = Math.min(barCells, Math.round(fill * barCells));
  return '▰'.repeat(full) + '▱'.repeat(barCells - full);
}

/** The parts of the line, the most important one first. */
function partsOf(answer: Statusline): string[] {
  const { usedTokens, windowTokens, outputs, outputTokens, savedTokens, flushes, tiers } = answer;
  const fill = fillOf(answer);
  const used = usedTokens === undefined ? undefined : shortCount(usedTokens);
  const window = windowTokens === undefined ? '' : `/${shortCount(windowTokens)}`;
  const share = fill === undefined ? '' : `${String(Math.round(fill * 100))}% `;
  const { hot, warm, cold } = tiers;
  const hasItems = hot + warm + cold > 0;
  return [
    ...(used === undefined ? [] : [`${share}${used}${window}`]),
    ...(outputs === 0 ? [] : [`kept ${String(outputs)} (${shortCount(outputTokens)})`]),
    ...(savedTokens === 0 ? [] : [`saved ${shortCount(savedTokens)}`]),
    ...(flushes === 0 ? [] : [`flush ${String(flushes)}`]),
    ...(answer.costUsd === undefined ? [] : [`$${answer.costUsd.toFixed(2)}`]),
    ...(hasItems ? [`hot ${String(hot)} warm ${String(warm)} cold ${String(cold)}`] : []),
  ];
}

const separator = ' · ';

/** As many parts as fit, the first one in any case. */
function fitting(parts: readonly string[], width: number): string {
  let line = parts[0] ?? '';
  for (const part of parts.slice(1)) {
    if (line.length + separator.length + part.length > width) break;
    line += separator + part;
  }
  return line.slice(0, Math.max(1, width));
}

function colored(bar: string, fill: number): string {
  if (fill < 0.6) return `\u001b[32m${bar}\u001b[39m`;
  return `\u001b[${fill < 0.85 ? '33' : '31'}m${bar}\u001b[39m`;
}

/** One line about a context. Within the width; without colours no escape sequence. */
export function renderStatusline(answer: Statusline, { width, hasColor }: LineStyle): string {
  const parts = partsOf(answer);
  if (parts.length === 0) return fitting(['ctx: nothing stored yet'], width);
  const fill = fillOf(answer);
  const line = fitting(parts, width);
  if (fill === undefined) return line;
  const bar = barOf(fill);
  const withBar = fitting(parts, width - barCells - 1);
  if (withBar.length < (parts[0] ?? '').length) return line;
  return `${hasColor ? colored(bar, fill) : bar} ${withBar}`;
}
