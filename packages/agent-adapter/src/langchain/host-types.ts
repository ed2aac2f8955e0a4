/**
 * The smallest shapes of LangChain and LangGraph that are needed here. Neither is imported; contract tests show that their types
 * fit.
 */

/** A message as LangChain stores it. */
export interface StoredMessageShape {
  readonly type: string;
  readonly data: object;
}

/** A message of LangChain. */
export interface MessageShape {
  readonly content: unknown;
  readonly id?: string | undefined;
  getType(): string;
  toDict(): StoredMessageShape;
}

/** A message of LangChain that holds what a tool returned. */
export interface ToolMessageShape extends MessageShape {
  readonly tool_call_id: string;
  readonly artifact?: unknown;
}

/** A call of a tool as LangChain holds it. */
export interface ToolCallShape {
  readonly id?: string | undefined;
  readonly name: string;
  readonly args: unknown;
}

/** What LangGraph knows of a run. */
export interface RuntimeShape {
  readonly configurable?: { readonly thread_id?: string } | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What `wrapToolCall` is given. */
export interface ToolCallRequestShape {
  readonly toolCall: ToolCallShape;
  readonly runtime: RuntimeShape;
}

/** What `wrapModelCall` is given. */
export interface ModelRequestShape {
  readonly messages: readonly MessageShape[];
  readonly systemPrompt?: string;
  readonly tools?: readonly unknown[];
  readonly model?: unknown;
  readonly modelSettings?: Readonly<Record<string, unknown>> | undefined;
  readonly runtime: RuntimeShape;
}
