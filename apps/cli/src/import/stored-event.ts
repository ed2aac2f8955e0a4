export {
  restoreEvent,
  resultOf,
  type StoredEvent,
  storedEventOf,
  type StoredResult,
  withoutResults,
} from '@ctx/transcripts';
