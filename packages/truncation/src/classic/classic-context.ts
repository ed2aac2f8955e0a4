import { checkMessages, type Message, type TokenCounter } from '@ctx/core';
import { approximateTokens } from '@ctx/tokens/approximate';
import { defaultFileTools } from '../calls/files/file-tools.ts';
import { contextLimit, usableWindow } from './context-limit.ts';
import type { BlockEdit } from './edits/block-edit.ts';
import { applyEdits, type EditMoment, recordEdits, rollBackEdits } from './edits/edit-history.ts';
import { measureEdits, type SavingPolicy, type SizeChange, savesEnough } from './edits/metrics.ts';
import {
  type DuplicateRead,
  type DuplicateReadPolicy,
  planDuplicateReads,
} from './files/duplicate-reads.ts';
import { applyRange } from './range/apply-range.ts';
import { type DeletedRange, isDeleted } from './range/deleted-range.ts';
import { planRange } from './range/plan-range.ts';
import { type ClassicState, emptyClassicState, readState, writeState } from './saved-state.ts';
import { type CompactionOptions, judgeUsage, type UsageSample } from './should-compact.ts';
import type { ClassicStrategy } from './strategies.ts';

/** How a conversation is kept small. */
export interface ClassicOptions
  extends CompactionOptions,
    Partial<DuplicateReadPolicy>,
    Partial<SavingPolicy> {
  /** What `save()` returned: goes on from there. */
  readonly saved?: string;
  /** Default: `approximateTokens` of `@ctx/tokens`. */
  readonly countTokens?: TokenCounter;
}

/** The request that is about to be sent. */
export interface ClassicMoment {
  /** ms since the epoch. */
  readonly timestamp: number;
  /** What the provider reported of the newest request. Each report counts once. */
  readonly sample?: UsageSample;
}

/** The messages to send, and what was done to make them fit. */
export interface ClassicRequest {
  readonly messages: readonly Message[];
  /** Reads of files that were replaced by a notice now, since a newer one in view covers their lines. */
  readonly duplicates: readonly DuplicateRead[];
  /** What that saved; absent if the report did not ask for anything. */
  readonly saved?: SizeChange;
  /** Messages that are out of view, indices of the full list. */
  readonly range?: DeletedRange;
}

/**
 * Keeps a conversation small as seed 002 says: when a report comes near the window, copies of files leave first; if that does
 * not save enough, the oldest half (or three quarters) of the messages leaves, after the task and its answer. The caller
 * always hands in the full list of messages, which never changes; what is shown of it is the state of this object.
 */
export interface ClassicContext {
  /** Decides on the newest report, and returns what to send. The outcome is valid, and shares no object with `messages`. */
  request(messages: readonly Message[], moment: ClassicMoment): ClassicRequest;
  /** Records edits of your own: blocks as they are to be shown. */
  edit(edits: readonly BlockEdit[], timestamp: number): void;
  /** Goes back to a moment: what was edited and cut after it is in view again. */
  rollBack(moment: EditMoment): void;
  /** The state as text, to be kept beside the messages. */
  save(): string;
}

/** The list with nothing left of what is out of view, so that indices stay. */
function inView(messages: readonly Message[], range: DeletedRange | undefined): Message[] {
  return messages.map((message, index) =>
    isDeleted(range, index) ? { ...message, content: [] } : message,
  );
}

function view(messages: readonly Message[], { history, cuts }: ClassicState): Message[] {
  const range = cuts.at(-1)?.range;
  const edited = applyEdits(messages, history);
  return [...applyRange(edited, range, { notice: true, sharesMessages: true }).messages];
}

interface Shrunk {
  readonly state: ClassicState;
  readonly duplicates: readonly DuplicateRead[];
  readonly saved: SizeChange;
}

/** Replaces copies of files, and cuts where that does not save enough. */
function shrink(
  state: ClassicState,
  { messages, timestamp, strategy }: ShrinkInput,
  options: ClassicOptions,
): Shrunk {
  const range = state.cuts.at(-1)?.range;
  const edited = inView(applyEdits(messages, state.history), range);
  const { edits, duplicates } = planDuplicateReads(edited, {
    ...options,
    fileTools: [...(options.fileTools ?? []), ...defaultFileTools],
  });
  const { total: saved } = measureEdits(edited, edits, options.countTokens ?? approximateTokens);
  const history = recordEdits(state.history, edits, timestamp);
  const limitTokens = contextLimit(usableWindow(options));
  const next = savesEnough(saved, limitTokens, options)
    ? undefined
    : planRange(messages, strategy, range);
  const cuts = next === undefined ? state.cuts : [...state.cuts, { range: next, timestamp }];
  return { state: { ...state, history, cuts }, duplicates, saved };
}

interface ShrinkInput {
  readonly messages: readonly Message[];
  readonly timestamp: number;
  readonly strategy: ClassicStrategy;
}

/**
 * Opens the context of a conversation.
 *
 * @throws `CTX_STORE_CORRUPT` for a `saved` text that is torn, foreign or of a later version: set it aside, never write over it.
 */
export function classicContext(options: ClassicOptions = {}): ClassicContext {
  let state = options.saved === undefined ? emptyClassicState : readState(options.saved);
  return {
    request: (messages, { timestamp, sample }) => {
      checkMessages(messages);
      const { strategy, judgedRequestId } = judgeUsage(sample, state.judgedRequestId, options);
      if (judgedRequestId !== undefined) state = { ...state, judgedRequestId };
      const shrunk = strategy && shrink(state, { messages, timestamp, strategy }, options);
      if (shrunk !== undefined) state = shrunk.state;
      const range = state.cuts.at(-1)?.range;
      return {
        messages: view(messages, state),
        duplicates: shrunk?.duplicates ?? [],
        ...(shrunk === undefined ? {} : { saved: shrunk.saved }),
        ...(range === undefined ? {} : { range }),
      };
    },
    edit: (edits, timestamp) => {
      state = { ...state, history: recordEdits(state.history, edits, timestamp) };
    },
    rollBack: (moment) => {
      const history = rollBackEdits(state.history, moment);
      const cuts = state.cuts.filter(({ timestamp }) => timestamp <= moment.timestamp);
      state = { ...state, history, cuts };
    },
    save: () => writeState(state),
  };
}
