import type { SdkMessage } from '../ai-sdk/host-types.ts';

/**
 * The smallest shapes of Mastra's processors that are needed here. Mastra itself is not imported; a test against the real package shows
 * that its types fit.
 */

/** What a model is about to be called with. */
export interface RequestArgs<Prompt extends readonly SdkMessage[]> {
  readonly prompt: Prompt;
  /** What the processor keeps from one of its methods to the next. */
  readonly state?: Readonly<Record<string, unknown>>;
}

/** What a step begins with. */
export interface StepArgs {
  readonly state: Record<string, unknown>;
  /** 0 for the first of a run. */
  readonly stepNumber: number;
  /** `stepStart` marks where the next step begins in an answer, if an answer is the last message. */
  readonly messageList: { stepStart(): unknown };
  readonly tools?: Readonly<Record<string, unknown>> | undefined;
  readonly modelSettings?: { readonly maxOutputTokens?: number | undefined } | undefined;
}

/** A piece of what a model answered. */
export interface ChunkShape {
  readonly type: string;
  readonly payload: unknown;
}

export interface ResponseArgs {
  readonly chunks: readonly ChunkShape[];
  /** Whether a cache answered, and no model. */
  readonly fromCache: boolean;
}

/** How the result of a call is put into the messages of a run. */
export interface ToolInvocationPart {
  readonly type: 'tool-invocation';
  readonly toolInvocation: {
    readonly state: 'result';
    readonly toolCallId: string;
    readonly toolName: string;
    readonly args: unknown;
    readonly result: unknown;
  };
}

export interface ToolResultArgs {
  readonly toolName: string;
  readonly toolCallId: string;
  readonly args: unknown;
  readonly result: unknown;
  readonly providerExecuted?: boolean | undefined;
  readonly messageList: { updateToolInvocation(part: ToolInvocationPart): unknown };
}

export interface ErrorArgs {
  readonly error: unknown;
  /** How often this request was made again. */
  readonly retryCount: number;
}
