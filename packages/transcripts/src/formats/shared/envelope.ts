import type { EventDraft } from '../../transcript.ts';
import { isRecord, type JsonRecord } from '../../values.ts';

/** What an event keeps of the record around its message. */
export function envelopeOf(event: EventDraft | undefined): JsonRecord {
  const record = event?.extra?.['record'];
  return isRecord(record) ? record : {};
}
