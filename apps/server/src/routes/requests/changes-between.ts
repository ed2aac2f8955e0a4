import { isDeepStrictEqual } from 'node:util';
import type { SessionView, ShownSegment } from '../../windows/request-moment.ts';

/** What turns one view into another. */
export interface ViewChanges {
  /** Segments of the other view that are new or not as they were. */
  readonly changed: ReadonlySet<ShownSegment>;
  /** Numbers of the segments that the other view has no longer. */
  readonly without: readonly number[];
}

/** Compares two views of a session segment by segment. Pure. */
export function changesBetween(
  before: Pick<SessionView, 'segments'>,
  after: Pick<SessionView, 'segments'>,
): ViewChanges {
  const old = new Map(before.segments.map((one) => [one.segment, one]));
  const changed = new Set<ShownSegment>();
  for (const one of after.segments) {
    if (!isDeepStrictEqual(old.get(one.segment), one)) changed.add(one);
    old.delete(one.segment);
  }
  return { changed, without: [...old.keys()] };
}
