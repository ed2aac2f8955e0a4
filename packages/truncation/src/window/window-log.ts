import type { ContentBlock, Message } from '@ctx/core';
import type { FlushCause } from './plan-flush.ts';
import { renderUnit } from './render.ts';
import type { LoggedMessage, SegmentEdit, WindowSegment } from './segment.ts';
import { cutNotice } from './stub.ts';
import { createSumTree } from './sum-tree.ts';

/** A block on its way into the log. */
export type SegmentDraft = Omit<WindowSegment, 'message' | 'tokens' | 'edit' | 'block'> & {
  readonly block: ContentBlock;
};

/** A run of messages that left altogether. */
export interface CutRange {
  readonly from: number;
  readonly to: number;
}

/** The append-only log with what is shown of it. */
export interface WindowLog {
  readonly messages: readonly LoggedMessage[];
  readonly segments: readonly WindowSegment[];
  readonly cut: CutRange | undefined;
  append(message: Message, drafts: readonly SegmentDraft[]): void;
  /** Changes what is shown of some segments, and cuts a run of messages out. */
  edit(edits: readonly SegmentEdit[], cause: FlushCause, cut?: CutRange): void;
  /** Tokens shown from a segment on. */
  tokensFrom(segment: number): number;
  /** The messages shown, in order. Contract: those that did not change are the same objects. */
  view(): readonly Message[];
  /** Messages rendered so far: the work that was done. */
  readonly steps: number;
}

interface ViewEntry {
  /** Place of the message in the log. */
  readonly index: number;
  readonly message: Message;
}

interface LogState {
  readonly messages: LoggedMessage[];
  readonly segments: WindowSegment[];
  view: ViewEntry[];
  cut: CutRange | undefined;
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

function noticeOf({ from, to }: CutRange): Message {
  return { role: 'user', content: [{ type: 'text', text: cutNotice(from, to) }] };
}

/** The end of the unit that begins at message `start`. */
function unitEnd({ messages }: LogState, start: number): number {
  let end = start + 1;
  while (messages[end]?.unit === start) end += 1;
  return end;
}

/** Renders anew what is shown from the unit of message `index` on. */
function rebuild(state: LogState, index: number): void {
  const start = state.messages[index]?.unit ?? index;
  state.view.length = viewPlace(state, start);
  for (let at = start; at < state.messages.length; ) {
    const end = unitEnd(state, at);
    state.steps += end - at;
    if (state.cut?.from === at) state.view.push({ index: at, message: noticeOf(state.cut) });
    const isCut = state.cut !== undefined && at >= state.cut.from && at <= state.cut.to;
    if (!isCut) state.view.push(...renderUnit(state, at, end));
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
  for (const draft of drafts) {
    state.segments.push({ ...draft, message: index, tokens: draft.insertedTokens });
  }
  const isSame = drafts.every(({ block }, at) => block === message.content[at]);
  const whole = isSame ? message : { ...message, content: drafts.map(({ block }) => block) };
  const answers = drafts.some(({ block }) => block.type === 'tool_result');
  const before = state.messages[index - 1];
  const unit = answers && before !== undefined ? before.unit : index;
  const { role, extra } = message;
  const end = first + drafts.length;
  const isWith = extra === undefined ? {} : { extra };
  state.messages.push({ role, ...isWith, first, end, unit, whole });
  state.view.push({ index, message: whole });
  state.steps += 1;
}

/** Starts empty. Cost: an append its own blocks; an edit the messages from the first changed one on. */
export function createWindowLog(): WindowLog {
  const tree = createSumTree();
  const state: LogState = { messages: [], segments: [], view: [], cut: undefined, steps: 0 };
  return {
    messages: state.messages,
    segments: state.segments,
    get cut() {
      return state.cut;
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
      if (cut !== undefined) state.cut = cut;
      if (first < state.messages.length) rebuild(state, first);
    },
    tokensFrom: (segment) => tree.sumFrom(segment),
    view: () => state.view.map(({ message }) => message),
    get steps() {
      return state.steps;
    },
  };
}
