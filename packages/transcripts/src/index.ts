export { builtInFormats } from './built-in-formats.ts';
export { withOwnCallIds } from './call-ids.ts';
export {
  type DetectedFormat,
  detectFormat,
} from './detect-format.ts';
export {
  type HistoryEntry,
  type HistoryOptions,
  historyOf,
  type LaneHistory,
} from './lane-history.ts';
export { fromAiSdkModel } from './formats/ai-sdk-model.ts';
export { ctxFormat, readArchive, writeArchive } from './formats/ctx.ts';
export { fromLangChain } from './formats/langchain.ts';
export { fromOpenAiResponses } from './formats/openai-responses.ts';
export type { ReadReceipt } from './read-receipt.ts';
export {
  type OpenTranscript,
  openTranscript,
  type ReadOptions,
  readTranscript,
} from './read-transcript.ts';
export { type RequestSequence, requestsOf, type TranscriptRequest } from './requests-of.ts';
export type { ByteSource } from './sources/byte-source.ts';
export {
  restoreEvent,
  resultOf,
  type StoredEvent,
  storedEventOf,
  type StoredResult,
  withoutResults,
} from './stored/stored-event.ts';
export type {
  BadReason,
  Boundary,
  DetectionHead,
  EventDraft,
  EventFlags,
  FormatEvidence,
  FormatReadOptions,
  FormatWriteOptions,
  QuarantinedRange,
  ReadLog,
  RecordSource,
  TranscriptEvent,
  TranscriptFormat,
  Usage,
} from './transcript.ts';
export { uuidOfName } from './uuid-of-name.ts';
export { clearedResultText, messagesOf, viewAt } from './view-at.ts';
export {
  streamTranscript,
  type TranscriptStream,
  type WriteOptions,
  type WriteReceipt,
  type WrittenTranscript,
  writeTranscript,
} from './write-transcript.ts';
