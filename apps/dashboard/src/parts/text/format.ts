const whole = new Intl.NumberFormat('en');
/** Always one digit after the point, so that they stand below each other. */
const percents = new Intl.NumberFormat('en', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const moments = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** 12,345 */
export function countText(value: number): string {
  return whole.format(Math.round(value));
}

/** Tokens that left a request; a client's own compaction may leave it larger than it was. */
export function removedText(before: number, after: number): string {
  return after > before ? `none, ${countText(after - before)} more` : countText(before - after);
}

/** 1 line; 12,345 lines */
export function countedText(value: number, noun: string): string {
  return `${countText(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** 12.3k: for places where a number must not take more room than it says. */
export function shortText(value: number): string {
  if (Math.abs(value) < 1000) return countText(value);
  const [size, sign] = Math.abs(value) < 1_000_000 ? [1000, 'k'] : [1_000_000, 'M'];
  const scaled = value / size;
  return `${scaled.toFixed(Math.abs(scaled) < 100 ? 1 : 0)}${sign}`;
}

/** 12.3%; of what is there but hardly: <0.1% */
export function shareText(part: number, all: number): string {
  const share = all === 0 ? 0 : part / all;
  return share > 0 && share < 0.0005 ? '<0.1%' : percents.format(share);
}

export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const [size, unit] = bytes < 1_048_576 ? [1024, 'KB'] : [1_048_576, 'MB'];
  return `${(bytes / size).toFixed(1)} ${unit}`;
}

const steps = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

/** 3 h */
export function durationText(ms: number): string {
  for (const [size, unit] of steps) {
    if (ms >= size) return `${Math.floor(ms / size)} ${unit}`;
  }
  return 'now';
}

/** How long ago a moment was. */
export function agoText(iso: string, now: number = Date.now()): string {
  const text = durationText(now - Date.parse(iso));
  return text === 'now' ? 'just now' : `${text} ago`;
}

/** 22 Nov 2026, 11:38:10, of this machine's clock: no order of day and month to guess, and always as wide; says so where none was recorded. */
export function timeText(iso: string | undefined): string {
  return iso === undefined ? 'no time recorded' : moments.format(new Date(iso));
}

/** $1.62; below a cent with as many digits as tell something; below a hundredth of one: <$0.0001 */
export function moneyText(dollars: number): string {
  if (dollars === 0 || dollars >= 0.01) return `$${dollars.toFixed(2)}`;
  return dollars < 0.0001 ? '<$0.0001' : `$${dollars.toFixed(4)}`;
}
