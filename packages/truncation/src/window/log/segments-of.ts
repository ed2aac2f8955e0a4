import type { LoggedMessage, WindowSegment } from './segment.ts';

/** The segments of the messages `from` to `to`, both inclusive. Makes as many. */
export function segmentsOf(
  log: { readonly messages: readonly LoggedMessage[]; readonly segments: readonly WindowSegment[] },
  from: number,
  to: number = from,
): readonly WindowSegment[] {
  return log.segments.slice(log.messages[from]?.first ?? 0, log.messages[to]?.end ?? 0);
}
