/**
 * The canonical message of ctx: Anthropic-shaped, with content always a list of blocks. Every format that ctx reads is
 * converted to it and back without loss. `extra` holds what has no place here; models never see it.
 */

export type Role = 'user' | 'assistant' | 'system';

/**
 * What the source had and this shape has no place for, so that writing it back returns the same. `fields` are foreign
 * fields verbatim, such as `cache_control`; the other keys belong to the codec that wrote them, such as `form: 'string'`
 * for content that was a bare string.
 */
export interface Extra {
  /** The format that wrote this; other codecs ignore it. */
  readonly format?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  readonly extra?: Extra;
}

/** A call of a tool by the model. Stands in assistant messages only. */
export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  /** What the model sent: an object, or the raw string if the source's arguments were not valid JSON. */
  readonly input: unknown;
  readonly extra?: Extra;
}

/** What a tool returned for the call `toolUseId`. Stands in user messages only, before everything else there. */
export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  /** Empty if the tool returned nothing. */
  readonly content: readonly ResultBlock[];
  readonly isError?: boolean;
  readonly extra?: Extra;
}

/** Anything that ctx never changes: images, documents, thinking, provider-executed tools, unknown blocks. */
export interface OpaqueBlock {
  readonly type: 'opaque';
  /** Its origin, such as `anthropic:image` or `anthropic:thinking`. */
  readonly format: string;
  /** The block exactly as the source had it. */
  readonly data: unknown;
  readonly extra?: Extra;
}

/** A block inside a tool result. */
export type ResultBlock = TextBlock | OpaqueBlock;

export type ContentBlock = TextBlock | ToolUseBlock | ToolResultBlock | OpaqueBlock;

export interface Message {
  readonly role: Role;
  readonly content: readonly ContentBlock[];
  readonly extra?: Extra;
}
