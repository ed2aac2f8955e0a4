import { fingerprintText } from '@ctx/core/encoding';
import { startCallIds } from '../calls/call-ids.ts';
import type { BadReason, EventDraft, ReadLog, TranscriptEvent } from '../transcript.ts';

/** The bytes of one record and where they stand. */
export interface RecordBytes {
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly length: number;
}

/** Gives events their place in the log. */
export interface EventLog {
  /** An event made from a record. Several may come from one record: its hash is taken once. */
  readonly event: (draft: EventDraft, record: RecordBytes) => TranscriptEvent;
  /** The event that stands in the place of a record that could not be understood. */
  readonly bad: (reason: BadReason, record: RecordBytes) => TranscriptEvent;
}

/** Starts the numbering of a log at 0. With `keepsCallIds` a call id that is used twice stays as it is. */
export function startEventLog(
  log: ReadLog,
  { keepsCallIds = false }: { readonly keepsCallIds?: boolean } = {},
): EventLog {
  const withOwnCalls = keepsCallIds ? undefined : startCallIds(log.note);
  let seq = 0;
  let hashed: { bytes: Uint8Array; sha256: string } | undefined;
  const event = (draft: EventDraft, record: RecordBytes): TranscriptEvent => {
    if (hashed?.bytes !== record.bytes) {
      const sha256 = record.bytes.length < record.length ? '' : fingerprintText(record.bytes);
      hashed = { bytes: record.bytes, sha256 };
    }
    const source = { offset: record.offset, length: record.length, sha256: hashed.sha256 };
    const read: TranscriptEvent = { lane: 'main', ...draft, seq, source };
    const made = withOwnCalls?.(read) ?? read;
    seq += 1;
    log.event(made);
    return made;
  };
  return {
    event,
    bad: (reason, record) => {
      log.bad(reason, record.offset, record.length);
      return event({ kind: 'meta', extra: { bad: reason } }, record);
    },
  };
}
