/**
 * The canonical message of ctx: Anthropic-shaped, content always a list of blocks. Every format that ctx reads is
 * turned into this and back without loss. Optional `extra` holds fields that have no home here; models never see it.
 */

export type Role = 'user' | 'assistant' | 'system';

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  /** What the model sent. An object, or the raw string where the source's arguments were not valid JSON. */
  readonly input: unknown;
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly content: readonly ContentBlock[];
  readonly isError?: boolean;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Anything ctx does not change: images, documents, thinking, provider-executed tools, unknown blocks. Kept exactly. */
export interface OpaqueBlock {
  readonly type: 'opaque';
  /** Where it came from, such as `anthropic:image`, `anthropic:thinking`. */
  readonly format: string;
  readonly data: unknown;
  /** Bound to the call that follows (thinking with a signature, reasoning items): leaves and stays with its unit. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export type ContentBlock = TextBlock | ToolUseBlock | ToolResultBlock | OpaqueBlock;

export interface Message {
  readonly role: Role;
  readonly content: readonly ContentBlock[];
  readonly extra?: Readonly<Record<string, unknown>>;
}
