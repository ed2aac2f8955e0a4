import type { ContentBlock, Message, Role } from '@ctx/core';
import type { RequestBody } from '../requests/request-body.ts';

/** A message of a client's request. */
export interface ClientMessage {
  /** In canonical form, without marks for the cache. */
  readonly message: Message;
  /** What it says, hashed: the same whatever marks it bears and however it is written. */
  readonly key: string;
  /** The elements of the list that it stands for, as the client wrote them unless `isRewritten`. */
  readonly raw: readonly string[];
  /** JSON of each of its blocks, as the client wrote them. */
  readonly parts: readonly string[];
  /** Whether `raw` lacks what the client says twice, or holds what the proxy put into the place of the client's error. */
  readonly isRewritten?: true;
}

/** Who speaks, as far as a request tells. */
export interface Caller {
  /** Name of the client, such as `claude-code`. */
  readonly client: string;
  /** What the client calls the conversation; `undefined` if it names none. */
  readonly conversation?: string;
}

/** Headers of a request by lower-case name. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** A tool as every API describes it. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the arguments. */
  readonly schema: object;
}

/** How requests of one API are read and written. */
export interface Dialect {
  readonly name: 'anthropic' | 'openai-responses' | 'openai-chat' | 'gemini';
  /** The member that holds the conversation. */
  readonly list: string;
  /** The members that come before the conversation in what the provider reads: those named `system` and `tools` here. */
  readonly system: string;
  /** Whether the path is one whose body holds a conversation to be answered. */
  readonly isConversation: (path: string) => boolean;
  /** Name of the model that is asked. */
  readonly modelOf: (body: RequestBody, path: string) => string;
  /** Most tokens of the answer, if the request says so. */
  readonly answerTokensOf: (body: RequestBody) => number | undefined;
  /** Whether the request stands beside the conversation, as for a title, or cannot be followed. */
  readonly isAside: (body: RequestBody) => boolean;
  /** Whether the client has the conversation summed up, and leaves out the tools that its requests had so far. Default: no. */
  readonly isBareCompaction?: (body: RequestBody, headers: Headers) => boolean;
  /** JSON of the list of tools with one more at its end; `undefined` if it is not the list that the model gets. */
  readonly withTool: (tools: string, tool: OfferedTool) => string | undefined;
  readonly callerOf: (body: RequestBody, headers: Headers) => Caller;
  /** How many elements from a place on are one message. Default: each is one. */
  readonly lengthOfMessage?: (elements: readonly string[], from: number) => number;
  /**
   * Reads the elements of one message.
   * @throws SyntaxError for what is no JSON.
   */
  readonly read: (elements: readonly string[]) => ClientMessage | undefined;
  /** Writes a block that changed, of a message of `role`; `origin`: the client's block in whose place it stands. */
  readonly writePart: (block: ContentBlock, origin: string | undefined, role: Role) => string;
  /** Writes a message of parts; `origin`: what the client wrote for the message that they come from. */
  readonly writeMessage: (
    role: Role,
    parts: readonly string[],
    origin: readonly string[],
  ) => readonly string[];
}
