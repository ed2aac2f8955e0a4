import { planHardFit } from '../fit/plan-hard-fit.ts';
import { planPart } from '../insert/plan-part.ts';
import type { Pair, SegmentEdit, FlushCause } from '../log/segment.ts';
import { segmentsOf } from '../log/segments-of.ts';
import type { Epoch } from '../log/window-log.ts';
import type { Flush } from '../window-event.ts';
import { calibrated, limitTokens, projectedTokens, type WindowState } from '../window-state.ts';
import { dropThinking, forgetThinking, leaveThinking, thoughtfulOf } from './finished-thinking.ts';
import { joinLines } from './join-lines.ts';
import { firstSegmentOf } from './leaving-of.ts';
import type { FlushDecision } from './plan-flush.ts';
import { namesInput } from './stub.ts';

/** What stands for a pair that leaves now: a part of it for a while, or a line. */
function editsOf(state: WindowState, pair: Pair): readonly SegmentEdit[] {
  const segment = state.log.segments[pair.resultSegment];
  const { queue, words, host } = state;
  if (segment?.block?.type !== 'tool_result' || !queue.goesInPart(pair)) return pair.edits;
  const edits = planPart(
    {
      pair,
      result: segment.block,
      resultTokens: segment.tokens,
      isWorkWord: words.forFile(pair.use?.path ?? ''),
      tokensOf: host.tokensOf,
    },
    state.policy(),
  );
  return edits.length === 0 ? pair.edits : edits;
}

/**
 * Says what leaves.
 * @throws `CTX_WINDOW_OVERFLOW` where nothing helps.
 */
export function draftFlush(state: WindowState, cause: FlushCause, decision: FlushDecision): Flush {
  const { queue } = state;
  const leaving =
    cause === 'hard'
      ? hardFit(state)
      : {
          pairs:
            cause === 'free'
              ? [...queue.candidates, ...queue.coldPairs()]
              : (decision.pairs ?? queue.candidates),
        };
  const { pairs } = leaving;
  const single = 'edits' in leaving ? leaving.edits : pairs.flatMap((pair) => editsOf(state, pair));
  const first = cause === 'economic' ? Math.min(...pairs.map(firstSegmentOf)) : 0;
  const unbound = leaveThinking(state, { pairs, edits: single, first });
  const edits = joinLines(state, unbound);
  const beforeTokens = projectedTokens(state);
  const change = edits.reduce(
    (sum, { segment, tokens }) => sum + tokens - (state.log.segments[segment]?.tokens ?? 0),
    0,
  );
  const cut = 'cut' in leaving ? leaving.cut : undefined;
  return {
    cause,
    edits,
    pairs: unbound.pairs.map(({ index }) => index),
    ...(cut === undefined ? {} : { cut }),
    beforeTokens: calibrated(state, beforeTokens),
    afterTokens: calibrated(state, beforeTokens + change),
    penalty: decision.penalty,
  };
}

function hardFit(state: WindowState) {
  const { log, queue, fixedTokens, host } = state;
  const { tokensOf, previewText } = host;
  const limit = limitTokens(state);
  return planHardFit({
    log,
    queue,
    policy: state.policy(),
    fixedTokens,
    limitTokens: limit,
    tokensOf,
    previewText,
  });
}

/** Pairs of messages up to one that leave with it. */
function pairsUpTo(state: WindowState, to: number): Pair[] {
  const isIn = ({ callSegment }: Pair): boolean =>
    (state.log.segments[callSegment]?.message ?? 0) <= to;
  return [...state.pairs.values()].filter(isIn);
}

function forget(state: WindowState, pair: Pair): void {
  const { print } = pair;
  const isBound = thoughtfulOf(state, pair) !== undefined;
  if (!isBound && (!pair.isInPart || pair.state === 'left')) state.pairs.delete(pair.index);
  state.shownPointers.add(pair.pointer);
  if (print !== undefined && state.liveTexts.get(print) === pair) state.liveTexts.delete(print);
  state.liveReads.forget(pair);
}

/** Makes the edits. The same flush on the same log gives the same bytes. Reads the log from the first edit on. */
export function applyFlush(state: WindowState, flush: Flush): void {
  const named = flush.pairs.flatMap((index) => state.pairs.get(index) ?? []);
  const withMessages = flush.cut === undefined ? [] : pairsUpTo(state, flush.cut.to);
  const leaving = [...new Set([...named, ...withMessages])];
  if (flush.cut !== undefined) dropThinking(state, flush.cut.to);
  state.log.edit(flush.edits, flush.cause, flush.cut);
  const shown = new Set(
    flush.edits.flatMap(({ form, segment }) => (form === 'part' ? segment : [])),
  );
  const inPart = leaving.filter(({ resultSegment }) => shown.has(resultSegment));
  state.queue.remove(leaving, new Set(inPart));
  const gone = flush.edits.flatMap(({ form, segment }) => (form === 'gone' ? segment : []));
  forgetThinking(state, new Set(gone));
  for (const pair of leaving) forget(state, pair);
  for (const { segment, form } of flush.edits) {
    const pointer = state.log.segments[segment]?.pointer;
    if (pointer !== undefined && form !== 'gone') state.shownPointers.add(pointer);
  }
  for (const pair of named) if (namesInput(pair)) state.shownPointers.add(pair.callPointer);
}

/** Puts a summary in the place of the oldest messages. Goes through those messages, and the view. */
export function applyCompaction(state: WindowState, epoch: Epoch): void {
  const leaving = pairsUpTo(state, epoch.to);
  for (const { pointer } of segmentsOf(state.log, epoch.from, epoch.to)) {
    state.shownPointers.add(pointer);
  }
  dropThinking(state, epoch.to);
  state.log.compact(epoch);
  state.queue.remove(leaving);
  state.queue.carry(epoch.needed ?? [], leaving);
  for (const pair of leaving) forget(state, pair);
}
