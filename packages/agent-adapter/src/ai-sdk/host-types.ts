/**
 * The smallest shapes of the AI SDK (6 and 7) that are needed here. The SDK itself is not imported; tests against both versions
 * show that its types fit.
 */

/** A message of a prompt, or a ModelMessage. */
export interface SdkMessage {
  readonly role: string;
  readonly content: unknown;
}

/** What a language model is called with. */
export interface CallOptionsShape<Prompt extends readonly SdkMessage[]> {
  prompt: Prompt;
  readonly tools?: unknown;
  readonly maxOutputTokens?: number | undefined;
  readonly providerOptions?:
    | Readonly<Record<string, Readonly<Record<string, unknown>>>>
    | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** A number of tokens, as either version reports it. */
export type TokensShape =
  | number
  | undefined
  | { readonly total?: number | undefined; readonly cacheRead?: number | undefined };

export interface UsageShape {
  readonly inputTokens?: TokensShape;
  readonly outputTokens?: TokensShape;
  readonly cachedInputTokens?: number | undefined;
}

export interface GenerateShape {
  readonly usage?: UsageShape;
}

export interface StreamShape<Part> {
  stream: ReadableStream<Part>;
}

/** A tool of the AI SDK. */
export interface SdkTool {
  readonly type?: string | undefined;
  readonly execute?: unknown;
  readonly toModelOutput?: unknown;
}
