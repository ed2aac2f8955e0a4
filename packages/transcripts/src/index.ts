export { builtInFormats } from './built-in-formats.ts';
export { withOwnCallIds } from './calls/call-ids.ts';
export { writeFitted } from './fitted/write-fitted.ts';
export { fromAiSdkModel } from './formats/ai-sdk/ai-sdk-model.ts';
export { toAiSdkModel } from './formats/ai-sdk/ai-sdk-model-write.ts';
export { fromAiSdkUi, toAiSdkUi } from './formats/ai-sdk/ai-sdk-ui-message.ts';
export { fromAnthropicMessage, toAnthropicMessage } from './formats/anthropic/anthropic-message.ts';
export { usageOfClineTask } from './formats/cline/cline-usage.ts';
export { viewOfCline, viewOfRoo } from './formats/cline/cline-view.ts';
export { pairXmlTools } from './formats/cline/cline-xml-tools.ts';
export { readArchive, writeArchive } from './formats/ctx/ctx.ts';
export type { BlobStore } from './formats/ctx/ctx-blobs.ts';
export { fromLangChain } from './formats/langchain/langchain.ts';
export { toLangChain } from './formats/langchain/langchain-write.ts';
export { fromMastra, toMastra } from './formats/mastra/mastra-message.ts';
export { fromOpenAiChat } from './formats/openai-chat/openai-chat-message.ts';
export { toOpenAiChat } from './formats/openai-chat/openai-chat-write.ts';
export { fromOpenAiResponses } from './formats/openai-responses/openai-responses.ts';
export { toOpenAiResponses } from './formats/openai-responses/openai-responses-write.ts';
export {
  openCodeSessionIds,
  readOpenCodeDatabase,
  readOpenCodeFolder,
} from './formats/opencode/opencode-source.ts';
export { createSweAgentFormat } from './formats/swe-agent/swe-agent.ts';
export { historyOf } from './history/lane-history.ts';
export { type LastView, lastViewOf } from './history/last-view.ts';
export { type RequestSequence, requestsOf } from './history/requests-of.ts';
export { toolsOf } from './history/tools-of.ts';
export { messagesOf, viewAt } from './history/view-at.ts';
export { openTranscript, readTranscript } from './read-transcript.ts';
export {
  restoreEvent,
  resultOf,
  type StoredEvent,
  type StoredResult,
  storedEventOf,
  withoutResults,
} from './stored/stored-event.ts';
export type { TranscriptEvent, TranscriptFormat } from './transcript.ts';
export { uuidOfName } from './uuid-of-name.ts';
export {
  streamTranscript,
  type WriteOptions,
  type WrittenTranscript,
  writeTranscript,
} from './write-transcript.ts';
