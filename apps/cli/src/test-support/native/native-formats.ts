import { modelDocument, uiDocument } from './ai-sdk.ts';
import { anthropicDocument } from './anthropic.ts';
import { langChainDocument } from './langchain.ts';
import { mastraDocument } from './mastra.ts';
import { openAiChatDocument, openAiResponsesDocument } from './openai.ts';
import { type Beat, logOf } from './script.ts';

/** A format, and a script told in it as its own tools would have written it. */
export interface NativeFormat {
  readonly name: string;
  /** The name under which it is read. */
  readonly format: string;
  readonly documentOf: (script: readonly Beat[]) => unknown;
}

/** Every format of messages, by its own documents. */
export const nativeFormats: readonly NativeFormat[] = [
  {
    name: 'anthropic',
    format: 'anthropic',
    documentOf: (script) => anthropicDocument(logOf(script)),
  },
  {
    name: 'openai-chat',
    format: 'openai-chat',
    documentOf: (script) => openAiChatDocument(logOf(script)),
  },
  {
    name: 'openai-responses',
    format: 'openai-responses',
    documentOf: (script) => openAiResponsesDocument(logOf(script)),
  },
  { name: 'ai-sdk-ui', format: 'ai-sdk-ui', documentOf: uiDocument },
  {
    name: 'ai-sdk-model 6',
    format: 'ai-sdk-model',
    documentOf: (script) => modelDocument(logOf(script), { major: 6 }),
  },
  {
    name: 'ai-sdk-model 7',
    format: 'ai-sdk-model',
    documentOf: (script) => modelDocument(logOf(script), { major: 7 }),
  },
  {
    name: 'langchain',
    format: 'langchain',
    documentOf: (script) => langChainDocument(logOf(script)),
  },
  { name: 'mastra', format: 'mastra', documentOf: mastraDocument },
];
