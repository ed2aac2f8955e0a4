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
  /** The block that was removed or turned into text, as it was. */
  readonly block?: ContentBlock;
}

/** The repaired history and every change that was made. */
export interface RepairReport {
  readonly messages: readonly Message[];
  readonly repairs: readonly Repair[];
}

/** A message during the repair, with the index it came from. */
export interface Draft {
  readonly message: Message;
  readonly messageIndex: number;
}

/** Records one change. */
export type NoteRepair = (repair: Repair) => void;
