export { builtInFormats } from './built-in-formats.ts';
export { withOwnCallIds } from './calls/call-ids.ts';
export {
  type DetectedFormat,
  detectFormat,
} from './detect-format.ts';
export {
  type HistoryEntry,
  type HistoryOptions,
  historyOf,
  type LaneHistory,
} from './history/lane-history.ts';
export { fromAiSdkModel } from './formats/ai-sdk/ai-sdk-model.ts';
export { toAiSdkModel } from './formats/ai-sdk/ai-sdk-model-write.ts';
export { fromAiSdkUi, toAiSdkUi } from './formats/ai-sdk/ai-sdk-ui-message.ts';
export { fromAnthropicMessage, toAnthropicMessage } from './formats/anthropic/anthropic-message.ts';
export { usageOfClineTask } from './formats/cline/cline-usage.ts';
export { viewOfCline, viewOfRoo } from './formats/cline/cline-view.ts';
export { pairXmlTools } from './formats/cline/cline-xml-tools.ts';
export { ctxFormat, readArchive, writeArchive } from './formats/ctx/ctx.ts';
export type { BlobSource, BlobStore } from './formats/ctx/ctx-blobs.ts';
export { fromLangChain } from './formats/langchain/langchain.ts';
export { toLangChain } from './formats/langchain/langchain-write.ts';
export { fromMastra, toMastra } from './formats/mastra/mastra-message.ts';
export { fromOpenAiChat } from './formats/openai-chat/openai-chat-message.ts';
export { toOpenAiChat } from './formats/openai-chat/openai-chat-write.ts';
export { fromOpenAiResponses } from './formats/openai-responses/openai-responses.ts';
export { toOpenAiResponses } from './formats/openai-responses/openai-responses-write.ts';
export {
  type OpenCodeFolder,
  openCodeSessionIds,
  type OpenCodeTranscript,
  readOpenCodeDatabase,
  readOpenCodeFolder,
  type RowQuery,
} from './formats/opencode/opencode-source.ts';
export { createSweAgentFormat } from './formats/swe-agent/swe-agent.ts';
export type { ReadReceipt } from './read-receipt.ts';
export {
  type OpenTranscript,
  openTranscript,
  type ReadOptions,
  readTranscript,
} from './read-transcript.ts';
export { type RequestSequence, requestsOf, type TranscriptRequest } from './history/requests-of.ts';
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
export { clearedResultText, messagesOf, viewAt } from './history/view-at.ts';
export {
  streamTranscript,
  type TranscriptStream,
  type WriteOptions,
  type WriteReceipt,
  type WrittenTranscript,
  writeTranscript,
} from './write-transcript.ts';
export { writeFitted } from './fitted/write-fitted.ts';
export { toolsOf } from './history/tools-of.ts';
export { type LastView, lastViewOf } from './history/last-view.ts';
