import type { ContentBlock, Message } from '@ctx/core';
import { cutNotice } from '../leave/stub.ts';
import { createJoining, mayJoin, type ViewEntry } from './join-neighbours.ts';
import { renderUnit } from './render.ts';
import type { LoggedMessage, SegmentEdit, WindowSegment, FlushCause } from './segment.ts';
import { segmentsOf } from './segments-of.ts';
import { createSumTree, type SumTree } from './sum-tree.ts';

/** A block on its way into the log. */
export type SegmentDraft = Omit<
  WindowSegment,
  'message' | 'tokens' | 'edit' | 'block' | 'address'
> & {
  readonly block: ContentBlock;
  readonly address?: string;
};

/** All segments have the same members in the same order: the engine then reads them an order of magnitude faster, and each request reads them all. */
function segmentOf(draft: SegmentDraft, message: number): WindowSegment {
  const { pointer, address, form, givenTokens, insertedTokens, block } = draft;
  const sizes = { givenTokens, insertedTokens, tokens: insertedTokens };
  return { message, pointer, address, form, ...sizes, block, edit: undefined };
}

/** A run of messages that left altogether. */
export interface CutRange {
  readonly from: number;
  readonly to: number;
  /** Whether what a compaction had put there goes, too. Default: it stays. */
  readonly dropsEpoch?: boolean;
}

/** What stands for the oldest messages since a compaction. Plain data. */
export interface Epoch {
  /** The messages that it stands for; all of `from` to `to` of the cut, or the first of them. */
  readonly from: number;
  readonly to: number;
  /** What is shown instead. */
  readonly message: Message;
  readonly tokens: number;
  /** What the user said, and lines for calls and results, which the next compaction carries on. */
  readonly carried: readonly string[];
  readonly ledger: readonly string[];
  /** Reads that the work needs, which the next compaction carries on as long as it does. Default: none. */
  readonly needed?: readonly CarriedRead[];
}

/** A read of the messages that a summary stands for, shown with it. Plain data. */
export interface CarriedRead {
  /** Number of its pair. */
  readonly pair: number;
  readonly text: string;
  readonly tokens: number;
}

/** The append-only log with what is shown of it. */
export interface WindowLog {
  readonly messages: readonly LoggedMessage[];
  readonly segments: readonly WindowSegment[];
  readonly cut: CutRange | undefined;
  readonly epoch: Epoch | undefined;
  append(message: Message, drafts: readonly SegmentDraft[]): void;
  /** Changes what is shown of some segments, and cuts a run of messages out. */
  edit(edits: readonly SegmentEdit[], cause: FlushCause, cut?: CutRange): void;
  /** Puts an epoch in the place of the messages it stands for. */
  compact(epoch: Epoch): void;
  /** Tokens shown from a segment on. */
  tokensFrom(segment: number): number;
  /** The messages shown, in order, neighbours of one role joined, in a list of its own. Those that did not change are the same objects. */
  view(): readonly Message[];
  /** What is shown of the messages from `from` up to, but without, `to`, each apart. */
  viewBetween(from: number, to: number): readonly Message[];
  /** Messages rendered so far: the work that was done. */
  readonly steps: number;
}

interface LogState {
  readonly messages: LoggedMessage[];
  readonly segments: WindowSegment[];
  view: ViewEntry[];
  /** The first messages of `view`, neighbours joined, as far as they were asked for. */
  readonly joined: Message[];
  cut: CutRange | undefined;
  epoch: Epoch | undefined;
  steps: number;
}

/** Place in the view of the first entry that belongs to message `index` or a later one. */
function viewPlace({ view }: LogState, index: number): number {
  let low = 0;
  let high = view.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((view[middle]?.index ?? 0) < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

function messagesBetween(state: LogState, from: number, to: number): Message[] {
  const entries = state.view.slice(viewPlace(state, from), viewPlace(state, to));
  return entries.map(({ message }) => message);
}

/** What stands for the messages that are not shown: the summary of the first of them, a notice for the others. */
function standIns({ cut, epoch }: LogState): Message[] {
  if (cut === undefined) return [];
  const summary = epoch === undefined ? [] : [epoch.message];
  const from = epoch === undefined ? cut.from : epoch.to + 1;
  if (from > cut.to) return summary;
  const text = cutNotice(from, cut.to);
  return [...summary, { role: 'user', content: [{ type: 'text', text }] }];
}

/** The end of the unit that begins at message `start`. */
function unitEnd({ messages }: LogState, start: number): number {
  let end = start + 1;
  while (messages[end]?.unit === start) end += 1;
  return end;
}

/** Puts messages at the end of the view: lines of neighbours become one message. */
function show(state: LogState, entries: readonly Omit<ViewEntry, 'group'>[]): void {
  for (const entry of entries) {
    const before = state.view.at(-1);
    const isJoined = before !== undefined && mayJoin(before, entry);
    state.view.push({ ...entry, group: isJoined ? before.group : nextGroup(state) });
  }
}

function nextGroup({ view }: LogState): number {
  return (view.at(-1)?.group ?? -1) + 1;
}

/** Renders anew what is shown from the unit of message `index` on. */
function rebuild(state: LogState, index: number): void {
  const start = state.messages[index]?.unit ?? index;
  state.view.length = viewPlace(state, start);
  // What comes may belong to the last group that stays.
  state.joined.length = Math.min(state.joined.length, state.view.at(-1)?.group ?? 0);
  for (let at = start; at < state.messages.length; ) {
    if (state.cut?.from === at) {
      show(
        state,
        standIns(state).map((message) => ({ index: at, message, isWhole: false })),
      );
      state.steps += 1;
      at = state.cut.to + 1;
      continue;
    }
    const end = unitEnd(state, at);
    state.steps += end - at;
    show(state, renderUnit(state, at, end));
    at = end;
  }
}

function applyEdit(state: LogState, edit: SegmentEdit, cause: FlushCause): number {
  const segment = state.segments[edit.segment];
  if (segment === undefined) return 0;
  const change = edit.tokens - segment.tokens;
  segment.block = edit.block;
  segment.tokens = edit.tokens;
  segment.edit = { form: edit.form, cause };
  const message = state.messages[segment.message];
  if (message !== undefined) message.whole = undefined;
  return change;
}

function append(state: LogState, message: Message, drafts: readonly SegmentDraft[]): void {
  const index = state.messages.length;
  const first = state.segments.length;
  for (const draft of drafts) state.segments.push(segmentOf(draft, index));
  const isSame = drafts.every(({ block }, at) => block === message.content[at]);
  const whole = isSame ? message : { ...message, content: drafts.map(({ block }) => block) };
  const answers = drafts.some(({ block }) => block.type === 'tool_result');
  const before = state.messages[index - 1];
  const unit = answers && before !== undefined ? before.unit : index;
  const { role, extra } = message;
  const end = first + drafts.length;
  const isWith = extra === undefined ? {} : { extra };
  state.messages.push({ role, ...isWith, first, end, unit, whole });
  // What was sent before it stays as it was sent, also where it ends with the same role.
  state.view.push({ index, message: whole, isWhole: true, group: nextGroup(state) });
  state.steps += 1;
}

/** Takes messages out of the view: the summary stands for all of them, its tokens with the first. */
function compactMessages(state: LogState, epoch: Epoch, tree: SumTree): void {
  const first = state.messages[epoch.from]?.first ?? 0;
  for (const [offset, segment] of segmentsOf(state, epoch.from, epoch.to).entries()) {
    const tokens = offset === 0 ? epoch.tokens : 0;
    tree.add(first + offset, tokens - segment.tokens);
    segment.tokens = tokens;
    segment.block = undefined;
    if (segment.edit?.form !== 'cut') segment.edit = { form: 'summarised', cause: 'compaction' };
  }
  for (const message of state.messages.slice(epoch.from, epoch.to + 1)) message.whole = undefined;
}

function emptyState(): LogState {
  return {
    messages: [],
    segments: [],
    view: [],
    joined: [],
    cut: undefined,
    epoch: undefined,
    steps: 0,
  };
}

/** Starts empty. An append costs its own blocks; an edit, and the view after it, the messages from the first changed one on. */
export function createWindowLog(): WindowLog {
  const tree = createSumTree();
  const join = createJoining();
  const state = emptyState();
  return {
    messages: state.messages,
    segments: state.segments,
    get cut() {
      return state.cut;
    },
    get epoch() {
      return state.epoch;
    },
    append: (message, drafts) => {
      append(state, message, drafts);
      for (const { insertedTokens } of drafts) tree.push(insertedTokens);
    },
    edit: (edits, cause, cut) => {
      let first = cut?.from ?? state.messages.length;
      for (const edit of edits) {
        tree.add(edit.segment, applyEdit(state, edit, cause));
        first = Math.min(first, state.segments[edit.segment]?.message ?? first);
      }
      if (cut !== undefined) state.cut = { from: cut.from, to: cut.to };
      if (cut?.dropsEpoch === true) state.epoch = undefined;
      if (first < state.messages.length) rebuild(state, first);
    },
    compact: (epoch) => {
      compactMessages(state, epoch, tree);
      state.cut = { from: epoch.from, to: epoch.to };
      state.epoch = epoch;
      rebuild(state, epoch.from);
    },
    tokensFrom: (segment) => tree.sumFrom(segment),
    view: () => {
      join(state.view, state.joined);
      return state.joined.slice();
    },
    viewBetween: (from, to) => messagesBetween(state, from, to),
    get steps() {
      return state.steps;
    },
  };
}
