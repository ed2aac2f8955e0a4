/**
 * The canonical message of ctx: Anthropic-shaped, content always a list of blocks. Every format that ctx reads is
 * turned into this and back without loss. Optional `extra` holds what has no home here; models never see it.
 */

export type Role = 'user' | 'assistant' | 'system';

/**
 * What the source had and this shape has no place for, so that the way back gives the same.
 * Contract: `fields` are foreign fields verbatim (such as `cache_control`); the other keys belong to the codec that wrote
 * them, such as `form: 'string'` for content that was a bare string.
 */
export interface Extra {
  /** The format that wrote this; codecs of other formats leave it out. */
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
  /** What the model sent. An object, or the raw string where the source's arguments were not valid JSON. */
  readonly input: unknown;
  readonly extra?: Extra;
}

/** What a tool returned for the call `toolUseId`. Stands in user messages only, before everything else there. */
export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  /** Empty where the tool returned nothing. */
  readonly content: readonly ResultBlock[];
  readonly isError?: boolean;
  readonly extra?: Extra;
}

/** Anything ctx does not change: images, documents, thinking, provider-executed tools, unknown blocks. Kept exactly. */
export interface OpaqueBlock {
  readonly type: 'opaque';
  /** Where it came from, such as `anthropic:image`, `anthropic:thinking`. */
  readonly format: string;
  /** The block as its source had it. */
  readonly data: unknown;
  readonly extra?: Extra;
}

/** What may stand inside a tool result. */
export type ResultBlock = TextBlock | OpaqueBlock;

export type ContentBlock = TextBlock | ToolUseBlock | ToolResultBlock | OpaqueBlock;

export interface Message {
  readonly role: Role;
  readonly content: readonly ContentBlock[];
  readonly extra?: Extra;
}
