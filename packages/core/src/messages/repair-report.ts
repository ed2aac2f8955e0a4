import type { ContentBlock, Message } from '../records/message.ts';

/** What `repairMessages` does to a history. */
export type RepairKind =
  | 'missing-result-filled'
  | 'orphan-result-to-text'
  | 'result-moved'
  | 'duplicate-call-dropped'
  | 'duplicate-call-renamed'
  | 'duplicate-result-dropped'
  | 'misplaced-call-to-text'
  | 'empty-content-dropped'
  | 'user-message-added';

/** One change. */
export interface Repair {
  readonly kind: RepairKind;
  /** Index into the messages that were handed in. */
  readonly messageIndex: number;
  readonly toolUseId?: string;
  /** What left the history or was turned into text, as it was. */
  readonly block?: ContentBlock;
}

/** The mended history and all that was done to it. */
export interface RepairReport {
  readonly messages: readonly Message[];
  readonly repairs: readonly Repair[];
}

/** A message on its way through the repair, with the index it came from. */
export interface Draft {
  readonly message: Message;
  readonly messageIndex: number;
}

/** Takes note of one change. */
export type NoteRepair = (repair: Repair) => void;
