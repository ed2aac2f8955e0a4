import { CtxError, type Message } from '@ctx/core';
import { copyData } from '@ctx/core/encoding';
import { applyBlockEdits, type BlockEdit } from './block-edit.ts';

/** An edit with its place in time. */
export interface TimedEdit extends BlockEdit {
  /** When it was made, ms since the epoch. */
  readonly timestamp: number;
  /** Counts up over the whole history: tells edits of one millisecond apart. */
  readonly sequence: number;
}

/** Every edit of a conversation, in the order in which they were made. Messages themselves are never touched. */
export interface EditHistory {
  readonly edits: readonly TimedEdit[];
  readonly nextSequence: number;
}

/** A history without edits. */
export const emptyEditHistory: EditHistory = { edits: [], nextSequence: 0 };

/** A moment to return to. */
export interface EditMoment {
  /** ms since the epoch. */
  readonly timestamp: number;
  /** Of the edits at that very millisecond, the last to keep. Default: all of them. */
  readonly sequence?: number;
}

/**
 * Records edits made at `timestamp`, ms since the epoch; the clock may go backwards.
 * Pure.
 * @throws `CTX_INVALID_INPUT` for a time that is none.
 */
export function recordEdits(
  history: EditHistory,
  edits: readonly BlockEdit[],
  timestamp: number,
): EditHistory {
  if (!Number.isFinite(timestamp)) {
    throw new CtxError('CTX_INVALID_INPUT', 'the time of an edit must be a finite number of ms');
  }
  const timed = edits.map((edit, index) => {
    const { messageIndex, blockIndex, block, cause } = edit;
    const sequence = history.nextSequence + index;
    return { messageIndex, blockIndex, block, cause, timestamp, sequence };
  });
  return {
    edits: [...history.edits, ...timed],
    nextSequence: history.nextSequence + edits.length,
  };
}

/** Drops every edit that was made after a moment. Pure; numbers are not given twice. */
export function rollBackEdits(history: EditHistory, moment: EditMoment): EditHistory {
  const last = {
    timestamp: moment.timestamp,
    sequence: moment.sequence ?? Number.MAX_SAFE_INTEGER,
  };
  return { ...history, edits: history.edits.filter((edit) => byTime(edit, last) <= 0) };
}

/** The edits of one block, oldest first. */
export function editsOfBlock(
  history: EditHistory,
  messageIndex: number,
  blockIndex: number,
): readonly TimedEdit[] {
  return history.edits
    .filter((edit) => edit.messageIndex === messageIndex && edit.blockIndex === blockIndex)
    .sort(byTime);
}

/**
 * Shows the conversation as edited: of each block the newest edit by time, then by sequence.
 * Pure; what is returned shares no object with what was given. Takes time linear in messages and n log n in edits.
 */
export function applyEdits(messages: readonly Message[], history: EditHistory): readonly Message[] {
  return copyData(applyBlockEdits(messages, history.edits.toSorted(byTime)));
}

type Place = Pick<TimedEdit, 'timestamp' | 'sequence'>;

function byTime(left: Place, right: Place): number {
  return left.timestamp - right.timestamp || left.sequence - right.sequence;
}
