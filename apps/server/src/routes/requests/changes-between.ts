import { isDeepStrictEqual } from 'node:util';
import type { SessionView, ShownSegment } from '../../windows/request-moment.ts';

/** What turns one view into another. */
export interface ViewChanges {
  /** Segments of the other view that are new or not as they were. */
  readonly changed: ReadonlySet<ShownSegment>;
  /** Numbers of the segments that the other view has no longer. */
  readonly without: readonly number[];
}

type ComparedView = Pick<SessionView, 'segments' | 'scale'>;

/** The segments as ctx counts them: what a provider reports of a request scales all of them, and changes none. */
function segmentsByNumber({ segments, scale }: ComparedView): Map<number, ShownSegment> {
  const counted = (tokens: number): number => Math.round(tokens / scale);
  return new Map(
    segments.map((one) => [
      one.segment,
      { ...one, givenTokens: counted(one.givenTokens), tokens: counted(one.tokens) },
    ]),
  );
}

/** Compares two views of a session segment by segment. Pure. */
export function changesBetween(before: ComparedView, after: ComparedView): ViewChanges {
  const [old, now] = [segmentsByNumber(before), segmentsByNumber(after)];
  const changed = new Set<ShownSegment>();
  for (const one of after.segments) {
    if (!isDeepStrictEqual(old.get(one.segment), now.get(one.segment))) changed.add(one);
    old.delete(one.segment);
  }
  return { changed, without: [...old.keys()] };
}
