import type { Segment } from '../api/queries.ts';

/** A piece of a window, as it came unless something else is said. */
export function makeSegment(more: Partial<Segment> = {}): Segment {
  const sizes = { tokensBefore: 100, tokensAfter: 100 };
  const place = { segment: 0, message: 0, pointer: 'ctx://outputs/Read_1' };
  return { ...place, ...sizes, kind: 'result', form: 'whole', why: 'as it came', ...more };
}
