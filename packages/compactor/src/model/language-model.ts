/**
 * What the compactor needs of a model of the AI SDK, by structure: specification v2 (AI SDK 5) and v3 (AI SDK 6) and later fit as they
 * are, and nothing of the SDK is imported. Lists are mutable because the SDK's are.
 */
export interface LanguageModelLike {
  readonly modelId: string;
  // A method, so that models which know more options still fit.
  doGenerate(options: LanguageModelRequest): PromiseLike<LanguageModelAnswer>;
}

/** One request without tools. */
export interface LanguageModelRequest {
  prompt: PromptMessage[];
  maxOutputTokens?: number;
  abortSignal?: AbortSignal;
}

export type PromptMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: PromptText[] }
  | { role: 'assistant'; content: (PromptText | PromptToolCall)[] }
  | { role: 'tool'; content: PromptToolResult[] };

export interface PromptText {
  type: 'text';
  text: string;
}

export interface PromptToolCall {
  type: 'tool-call';
  toolCallId: string;
  toolName: string;
  input: unknown;
}

export interface PromptToolResult {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  output: { type: 'text'; value: string } | { type: 'error-text'; value: string };
}

/** What of an answer is read. The rest of the content, such as reasoning, is passed over. */
export interface LanguageModelAnswer {
  readonly content: readonly { readonly type: string }[];
  /** A word (v2), or the word under `unified` (v3). */
  readonly finishReason: string | { readonly unified: string };
  /** Numbers (v2), or numbers under `total` (v3). */
  readonly usage: {
    readonly inputTokens: number | undefined | { readonly total: number | undefined };
    readonly outputTokens: number | undefined | { readonly total: number | undefined };
  };
}
