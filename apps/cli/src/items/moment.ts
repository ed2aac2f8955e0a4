import { InvalidArgumentError } from 'commander';

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a moment, ms since the epoch: ISO 8601, or a time before `now` such as `30m`, `2h` or `1d`. */
export function momentBefore(now: () => number): (text: string) => number {
  return (text) => {
    const unit = unitMs[text.slice(-1)];
    const count = text.slice(0, -1);
    if (unit !== undefined && /^[0-9]{1,6}$/.test(count)) return now() - Number(count) * unit;
    const at = /^[0-9]{4}-[0-9]{2}/.test(text) ? Date.parse(text) : Number.NaN;
    if (!Number.isNaN(at)) return at;
    throw new InvalidArgumentError('It must be a time such as 2h, 1d or 2026-01-31T12:00:00Z.');
  };
}
