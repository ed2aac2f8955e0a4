import type { ContentBlock, ToolResultBlock } from '@ctx/core';
import { fingerprintText } from '@ctx/core/encoding';
import type { CallUse } from '../../calls/describe-call.ts';
import { thoughtfulOf } from '../leave/finished-thinking.ts';
import { planLeaving } from '../leave/plan-leaving.ts';
import { plainText } from '../log/plain-text.ts';
import type { Pair } from '../log/segment.ts';
import type { SegmentDraft } from '../log/window-log.ts';
import type { SegmentRecord } from '../window-event.ts';
import { limitTokens, type OpenCall, projectedTokens, type WindowState } from '../window-state.ts';
import { comparedText } from './compared-text.ts';
import { findRead, foundUse } from './found-read.ts';
import { type InsertPlan, planInsert } from './plan-insert.ts';
import type { EarlierRead } from './plan-overlap.ts';
import { partTokensOf } from './plan-part.ts';
import { showsAll, textAsGiven, thinResult } from './thin-result.ts';

/** A result that comes in, with its call. */
export interface ResultArrival {
  readonly block: ToolResultBlock;
  readonly open: OpenCall;
  /** Where the whole is kept. */
  readonly pointer: string;
  /** The same by the place of its message, where the result is alone in it and the log can be read. */
  readonly address?: string | undefined;
  /** Place of the segment that it becomes. */
  readonly segment: number;
  /** What was decided about it before, where the log is read again. */
  readonly decided?: SegmentRecord | undefined;
}

/** A result, and what is known about it. */
interface KnownArrival extends ResultArrival {
  readonly tokens: number;
  /** Fingerprint of its text. */
  readonly print: string | undefined;
  readonly use: CallUse | undefined;
  /** A read that succeeded. */
  readonly read: CallUse | undefined;
  /** The pair whose result in view is the same. */
  readonly same: Pair | undefined;
  /** The newest read in view of the same lines. */
  readonly earlier: Pair | undefined;
}

function capTokens(state: WindowState): number {
  const room = limitTokens(state) - projectedTokens(state) + state.queue.leavingTokens;
  return Math.max(state.policy().previewTokens, state.policy().hardCapShare * room);
}

/** The pair, if its result is whole in view. */
function inView({ log }: WindowState, pair: Pair | undefined): Pair | undefined {
  const segment = pair === undefined ? undefined : log.segments[pair.resultSegment];
  const isWhole = segment !== undefined && showsAll(segment.form) && segment.edit === undefined;
  return isWhole ? pair : undefined;
}

/** The fingerprint of its text, as it was decided before or as it is now. */
function printOf({ block, decided }: ResultArrival): string | undefined {
  if (decided !== undefined) return decided.print;
  const text = plainText(block.content);
  return text === undefined ? undefined : fingerprintText(comparedText(text));
}

/** Results below this are not searched for lines of files, tokens. */
const minFoundTokens = 300;

/** Most reads in view that such a result is compared with, newest first. */
const comparedFiles = 12;

/** The file that a result shows if its call does not tell: by its lines, or as was decided before. */
function foundIn(
  state: WindowState,
  { block, open, decided }: ResultArrival,
  tokens: number,
): CallUse | undefined {
  if (decided?.found !== undefined) return foundUse(open.call, decided.found);
  if (decided !== undefined || block.isError === true || tokens < minFoundTokens) return undefined;
  const text = plainText(block.content);
  if (text === undefined) return undefined;
  const reads = state.liveReads.newestOfAll(comparedFiles).flatMap((pair) => {
    const path = pair.use?.path ?? '';
    const known = inView(state, pair) === undefined ? undefined : textOfResult(state, pair);
    return known === undefined || path === '' ? [] : [{ path, text: known }];
  });
  return findRead(open.call, text, reads);
}

function know(state: WindowState, arrival: ResultArrival): KnownArrival {
  const { block, open, decided } = arrival;
  const print = printOf(arrival);
  const tokens = decided?.givenTokens ?? state.host.tokensOf({ role: 'user', content: [block] });
  const use = state.callUses.useOf(open.call) ?? foundIn(state, arrival, tokens);
  const read = use?.access === 'read' && block.isError !== true ? use : undefined;
  const same = print === undefined ? undefined : state.liveTexts.get(print);
  const earlier = read === undefined ? undefined : state.liveReads.get(read.path, read.range);
  const known = { ...arrival, tokens, print, use, read };
  return { ...known, same: inView(state, same), earlier: inView(state, earlier) };
}

function textOfResult({ log }: WindowState, pair: Pair): string | undefined {
  const block = log.segments[pair.resultSegment]?.block;
  return block?.type === 'tool_result' ? textAsGiven(block) : undefined;
}

/** Most reads of a file in view whose lines a new one is compared with. */
const comparedReads = 4;

function readsOf(state: WindowState, { read }: KnownArrival): EarlierRead[] {
  if (read === undefined) return [];
  return state.liveReads.newest(read.path, comparedReads).flatMap((pair) => {
    const text = inView(state, pair) === undefined ? undefined : textOfResult(state, pair);
    return text === undefined ? [] : [{ index: pair.index, call: pair.call, text }];
  });
}

/** What was decided before, where the log is read again. */
function planAgain({ block, tokens }: KnownArrival, decided: SegmentRecord): InsertPlan {
  const { form = 'whole', restsOn } = decided;
  return {
    form,
    block: decided.block ?? (form === 'thin' ? thinResult(block) : block),
    tokens: decided.tokens ?? tokens,
    ...(restsOn === undefined ? {} : { restsOn }),
  };
}

/** Whether a result may be the content of a file: a read, or an edit by a tool, whose result often shows it. */
function isWholeAtFirst({ use, read, block }: KnownArrival): boolean {
  if (use === undefined || block.isError === true) return false;
  return read !== undefined || use.edited === undefined;
}

/** Most tokens of a read that are shown: of one file by its lines all, of diffs, searches and several files less. */
function mostShown(state: WindowState, { read }: KnownArrival): number {
  const isFile = read?.shows === undefined || read.shows === 'file';
  const isOneFile = isFile && (read?.shown ?? [1]).length === 1;
  return isOneFile ? Infinity : state.policy().sourceUpToTokens;
}

function planOf(state: WindowState, known: KnownArrival): InsertPlan {
  const { host } = state;
  const { block, tokens, pointer, same, earlier, decided } = known;
  if (decided !== undefined) return planAgain(known, decided);
  const earlierText = earlier === undefined ? undefined : textOfResult(state, earlier);
  const input = {
    block,
    call: known.open.call,
    tokens,
    pointer,
    isRead: isWholeAtFirst(known),
    capTokens: Math.min(capTokens(state), mostShown(state, known)),
    previewText: host.previewText,
    isWorkWord: state.words.forFile(''),
    reads: readsOf(state, known),
    tokensOf: (result: ContentBlock) => host.tokensOf({ role: 'user', content: [result] }),
    ...(same === undefined ? {} : { sameAs: same.call }),
    ...(earlierText === undefined ? {} : { earlierText }),
  };
  return planInsert(input, state.policy());
}

/** The pair that a result only points to, differs from a little, or goes on from. */
function restsOn(
  { pairs }: WindowState,
  { same, earlier }: KnownArrival,
  plan: InsertPlan,
): Pair | undefined {
  if (plan.form === 'same') return same;
  if (plan.form === 'diff') return earlier;
  return plan.restsOn === undefined ? undefined : pairs.get(plan.restsOn);
}

/** The short name of a result: not where its message shows less than all of it, so that one look gives the whole. */
function addressOf({ address }: KnownArrival, { form }: InsertPlan): string | undefined {
  return showsAll(form) ? address : undefined;
}

function addPair(state: WindowState, arrival: KnownArrival, plan: InsertPlan): Pair {
  const { open, pointer, segment, block, use, print } = arrival;
  const address = addressOf(arrival, plan) ?? pointer;
  const { call, isBound } = open;
  const asked = state.log.segments[open.segment];
  const callPointer = asked?.pointer ?? pointer;
  const shown = { result: plan.block, resultSegment: segment, resultTokens: plan.tokens };
  const leaving = planLeaving(
    {
      ...shown,
      call,
      callSegment: open.segment,
      callTokens: asked?.tokens ?? 0,
      pointer: address,
      callPointer,
      isBound,
      tokensOf: state.host.tokensOf,
    },
    state.policy(),
  );
  const known = { use, isError: block.isError === true, isBound };
  const ledgerTokens = leaving.edits.find((edit) => edit.segment === segment)?.tokens ?? 0;
  const candidate = { ...known, ledgerTokens, result: plan.block, resultTokens: plan.tokens };
  const pair: Pair = {
    ...known,
    index: state.pairCount,
    call,
    print,
    callSegment: open.segment,
    resultSegment: segment,
    pointer,
    callPointer,
    address,
    turn: state.turn,
    ...leaving,
    ledgerTokens,
    partTokens: partTokensOf(candidate, state.policy()),
    isInPart: false,
    leavingTokens: 0,
    nominatedAt: 0,
    state: 'tail',
    restsOn: restsOn(state, arrival, plan),
    isOutdated: false,
  };
  state.pairCount += 1;
  state.pairs.set(pair.index, pair);
  thoughtfulOf(state, pair)?.pairs.push(pair);
  state.queue.add(pair);
  return pair;
}

/** Forms of results that show only what another one does not. */
const restingForms: ReadonlySet<InsertPlan['form']> = new Set(['same', 'diff', 'overlap']);

interface NewPair {
  readonly known: KnownArrival;
  readonly pair: Pair;
  readonly form: InsertPlan['form'];
}

/** Remembers what later results may rest on, and what this one rests on. */
function link(state: WindowState, { known, pair, form }: NewPair): void {
  const { print, read } = known;
  if (pair.restsOn !== undefined) {
    pair.restsOn.restedOnBy = pair;
    state.queue.restOn(pair.restsOn);
  }
  if (!showsAll(form)) {
    state.shownPointers.add(pair.pointer);
    return;
  }
  if (print !== undefined) state.liveTexts.set(print, pair);
  if (read !== undefined) state.liveReads.add(read.path, read.range, pair);
}

/** Decides what a result becomes, and takes note of the call and its result. Takes time linear in the result. */
export function receiveResult(state: WindowState, arrival: ResultArrival): SegmentDraft {
  const known = know(state, arrival);
  const plan = planOf(state, known);
  const { form, tokens: insertedTokens, block } = plan;
  // What this rests on is as good as new.
  if (known.read !== undefined && !restingForms.has(form)) {
    state.queue.outdate(known.read);
  }
  if (known.use?.access === 'edit') state.words.takeEdit(known.use.path, arrival.open.call);
  const pair = addPair(state, known, plan);
  link(state, { known, pair, form });
  const { pointer, tokens: givenTokens } = known;
  const address = addressOf(known, plan);
  const named = address === undefined ? {} : { address };
  return { pointer, ...named, form, givenTokens, insertedTokens, block };
}
