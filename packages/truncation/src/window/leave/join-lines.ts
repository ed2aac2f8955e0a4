import type { Pair, SegmentEdit } from '../log/segment.ts';
import type { WindowState } from '../window-state.ts';
import { isOfMessages, joinedLine } from './stub.ts';

/** A pair that leaves for a line, and the edit that shows the line. */
interface Leaving {
  readonly pair: Pair;
  readonly edit: SegmentEdit;
}

/** What leaves: the pairs, and everything that changes with them. */
export interface LeavingPairs {
  readonly pairs: readonly Pair[];
  readonly edits: readonly SegmentEdit[];
}

/** The pairs that leave for a line which names messages, oldest result first. */
function linesOf({ pairs, edits }: LeavingPairs): Leaving[] {
  const bySegment = new Map(edits.map((edit) => [edit.segment, edit]));
  const leaving = pairs.flatMap((pair) => {
    const edit = bySegment.get(pair.resultSegment);
    return edit?.form === 'ledger' && isOfMessages(pair.address) ? [{ pair, edit }] : [];
  });
  return leaving.toSorted((a, b) => a.edit.segment - b.edit.segment);
}

/** Lines between which nothing else is shown. */
function runsOf({ log }: WindowState, { pairs, edits }: LeavingPairs): Leaving[][] {
  const changed = new Map(edits.map(({ segment, block }) => [segment, block]));
  const isShown = (segment: number): boolean =>
    (changed.has(segment) ? changed.get(segment) : log.segments[segment]?.block) !== undefined;
  const runs: Leaving[][] = [];
  let next = -1;
  for (const leaving of linesOf({ pairs, edits })) {
    const { segment } = leaving.edit;
    while (next >= 0 && next < segment && !isShown(next)) next += 1;
    if (next === segment) runs.at(-1)?.push(leaving);
    else runs.push([leaving]);
    next = segment + 1;
  }
  return runs;
}

/** The edits of a run: its first line tells all of them, where that is shorter. */
function joined({ host }: WindowState, run: readonly Leaving[]): SegmentEdit[] {
  const block = { type: 'text', text: joinedLine(run.map(({ pair }) => pair)) } as const;
  const tokens = host.tokensOf({ role: 'user', content: [block] });
  const single = run.reduce((sum, { edit }) => sum + edit.tokens, 0);
  if (run.length < 2 || tokens >= single) return run.map(({ edit }) => edit);
  return run.map(({ edit: { segment, form } }, at) =>
    at === 0 ? { segment, form, block, tokens } : { segment, form, tokens: 0 },
  );
}

/**
 * Puts one line in the place of lines that come next to each other and name messages of the log: each call is told, and each
 * result can be read again. Pure; never more tokens than the single lines. Goes through the edits, and what lies between them.
 */
export function joinLines(state: WindowState, leaving: LeavingPairs): readonly SegmentEdit[] {
  if (state.host.namesMessages !== true) return leaving.edits;
  const runs = runsOf(state, leaving).filter(({ length }) => length > 1);
  const edits = runs.flatMap((run) => joined(state, run));
  const bySegment = new Map(edits.map((edit) => [edit.segment, edit]));
  return leaving.edits.map((edit) => bySegment.get(edit.segment) ?? edit);
}
