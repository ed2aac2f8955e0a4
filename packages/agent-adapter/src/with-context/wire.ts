import type { ContextManager } from '../context-manager/context-manager.ts';
import type { ReadBackTool } from '../read-back/read-back-tools.ts';

/** Anything that JSON says in braces. */
export type Json = Readonly<Record<string, unknown>>;

/** Whether a body asks for events, as Anthropic and OpenAI have it. */
export const asksForStream = (body: Json): boolean => body['stream'] === true;

/** A call of one of ctx's tools. */
export interface OwnCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** What an answer says. */
export interface Said {
  /** As it goes into the next request: with the calls of ctx's tools. */
  readonly whole: readonly Json[];
  /** As the host has it in its history: without them. */
  readonly visible: readonly Json[];
  readonly own: readonly OwnCall[];
  /** Whether tools of the host are called, too: it has to answer before it goes on. */
  readonly callsHost: boolean;
}

/** Events of one streamed answer, on their way to the host. */
export interface StreamedAnswer {
  /** Takes an event; gives what the host may see now. */
  readonly take: (event: Json) => readonly Json[];
  /** What was said; `undefined` where the stream broke off. */
  readonly said: () => Said | undefined;
  /** The answer as `observe` takes it. */
  readonly answer: () => Json;
  /** The events that end the answer. */
  readonly close: () => readonly Json[];
}

/** How one API speaks. */
export interface Wire {
  /** How the paths of its conversations end. */
  readonly path: RegExp;
  /** Whether the answer comes as events. */
  readonly isStreamed: (body: Json, path: string) => boolean;
  /**
   * Returns the body with its whole conversation as a list, or `undefined` for what is none.
   * @throws `CTX_INVALID_INPUT` if the API keeps a part of it, with what to change.
   */
  readonly conversationOf: (body: Json, path: string) => Json | undefined;
  /** The member of a body that holds the conversation. */
  readonly listKey: string;
  /** With ctx's tools after the host's. */
  readonly offer: (body: Json, tools: readonly ReadBackTool[]) => Json;
  /** Makes a request fit. */
  readonly fit: (manager: ContextManager, body: Json, signal?: AbortSignal) => Promise<Json>;
  /** Learns from an answer. */
  readonly observe: (manager: ContextManager, answer: Json) => Promise<unknown>;
  /** What an answer says; `own`: the names of ctx's tools. */
  readonly said: (answer: Json, own: ReadonlySet<string>) => Said;
  /** The results of calls, as they stand in a conversation. */
  readonly results: (
    texts: readonly { readonly id: string; readonly name: string; readonly text: string }[],
  ) => readonly Json[];
  /** What was said in several rounds, as the host puts it into its history. */
  readonly joined: (visible: readonly Json[]) => readonly Json[];
  /** The answer that the host gets for several: what was joined, with what was used in all. */
  readonly merged: (answers: readonly Json[], joined: readonly Json[]) => Json;
  /** What tells messages of the model apart: ids of calls, else the text. */
  readonly keyOf: (said: readonly Json[]) => string;
  /** Starts to read a streamed answer; `before`: those of the same request so far; `asked`: the host's request. */
  readonly stream: (
    own: ReadonlySet<string>,
    before: readonly StreamedAnswer[],
    asked: Json,
  ) => StreamedAnswer;
  /** What stands after the last event. */
  readonly endOfStream: string;
  /** An error in the form in which the API gives it. */
  readonly errorBody: (message: string) => Json;
}
