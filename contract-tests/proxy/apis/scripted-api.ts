import type { ServerResponse } from 'node:http';

export type Body = Readonly<Record<string, unknown>>;

/** What a scripted model answers: a call of a tool, or text that ends the turn. */
export type Answer =
  | {
      readonly tool: string;
      /** Of the tool, where the client has put it into one, as Codex does with the tools of a server. */
      readonly namespace?: string;
      readonly input: Body | string;
    }
  | { readonly text: string };

/** Where an answer stands in its script, and what it cost. */
export interface AnswerPlace {
  readonly place: number;
  /** All of the input, and what of it the cache had. */
  readonly tokens: number;
  readonly cached: number;
}

/** How a provider's API is spoken. */
export interface ScriptedApi {
  readonly isConversation: (path: string) => boolean;
  /** The answer to what stands beside the conversation, such as a count or a title; `undefined` for the conversation itself. */
  readonly aside: (path: string, body: Body) => Answer | { readonly json: unknown } | undefined;
  /** How many calls the conversation holds. */
  readonly turnsDone: (body: Body) => number;
  readonly write: (response: ServerResponse, answer: Answer, at: AnswerPlace) => void;
  readonly refusal: (message: string) => unknown;
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** How many of the ids of scripted calls a text holds. */
export function scriptedCalls(text: string): number {
  const ids = new Set(text.match(/scripted_\d+/g));
  const last = [...ids].map((id) => Number(id.slice('scripted_'.length)));
  return last.length === 0 ? 0 : Math.max(...last) + 1;
}

export function answerJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** Writes events, each with its type as its name, if it has one. */
export function sse(response: ServerResponse, events: readonly Body[], end = ''): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    const name = typeof event['type'] === 'string' ? `event: ${event['type']}\n` : '';
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
  }
  response.end(end);
}
