import type { WindowEvent } from '../window-event.ts';

/** Places in a log, both inclusive. */
export interface LogRange {
  readonly from: number;
  readonly to: number;
}

/** A rewind as far as the path is concerned: it stands at `at` and goes back to `to`. */
export interface RewindMark {
  readonly at: number;
  readonly to: number;
}

/**
 * The parts of a log that lead to the event `last`: all before it but for what rewinds left out. A rewind itself belongs to
 * the path.
 * Pure; `rewinds` in the order of the log. Goes through the rewinds.
 */
export function rangesTo(last: number, rewinds: readonly RewindMark[]): LogRange[] {
  const ranges: LogRange[] = [];
  let end = last;
  for (const { at, to } of rewinds.toReversed()) {
    if (at > end) continue;
    ranges.push({ from: at, to: end });
    end = to;
  }
  if (end >= 0) ranges.push({ from: 0, to: end });
  return ranges.reverse();
}

/** The rewinds in a log. */
export function rewindsOf(events: readonly WindowEvent[]): RewindMark[] {
  return events.flatMap((event, at) => (event.type === 'rewound' ? [{ at, to: event.to }] : []));
}

/** The events that lead to the newest one. Reads the events. */
export function pathOf(events: readonly WindowEvent[]): readonly WindowEvent[] {
  const rewinds = rewindsOf(events);
  if (rewinds.length === 0) return events;
  const ranges = rangesTo(events.length - 1, rewinds);
  return ranges.flatMap(({ from, to }) => events.slice(from, to + 1));
}
