import Anthropic from '@anthropic-ai/sdk';
import { callsOfStep, scenarioSteps } from '../agent-scenario.ts';

/** A block of a request or answer, as far as it is looked at. */
export interface WireBlock {
  readonly type: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly text?: string;
  readonly content?: string | readonly WireBlock[];
  readonly cache_control?: unknown;
}

export interface WireMessage {
  readonly role: string;
  readonly content: string | readonly WireBlock[];
}

/** The body of a request. */
export interface WireRequest {
  readonly messages: readonly WireMessage[];
  readonly system?: string | readonly WireBlock[];
  readonly tools?: readonly { readonly name?: string; readonly cache_control?: unknown }[];
  readonly thread?: unknown;
  readonly stream?: boolean;
  readonly context_management?: { readonly edits: readonly Readonly<Record<string, unknown>>[] };
}

/** What a provider would count, about. */
export function tokensOfRequest(request: unknown): number {
  return Math.round(JSON.stringify(request).length / 4);
}

/** An answer of the model. */
export interface Answer {
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly stop_reason: string;
  readonly context_management?: unknown;
  /** Default: half of the input was cached. */
  readonly usage?: Readonly<Record<string, number>>;
  readonly diagnostics?: unknown;
}

/** Answers the n-th request, from 1; a `Response` is given as it is. */
export type Script = (request: WireRequest, count: number) => Answer | Response;

/** A client of the real SDK whose requests never leave the process. */
export interface ScriptedClient {
  readonly client: Anthropic;
  /** The requests, parsed. */
  readonly requests: readonly WireRequest[];
}

function messageOf(answer: Answer, request: WireRequest, count: number): object {
  const input = tokensOfRequest(request);
  return {
    id: `msg_${String(count)}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-5',
    stop_sequence: null,
    ...answer,
    usage: answer.usage ?? {
      input_tokens: input - Math.floor(input / 2),
      cache_read_input_tokens: Math.floor(input / 2),
      cache_creation_input_tokens: 0,
      output_tokens: 10,
    },
  };
}

/** The events of a message as the API streams them. */
export function eventsOf(
  message: Readonly<Record<string, unknown>>,
  answer: Pick<Answer, 'content' | 'stop_reason'>,
): string {
  const { usage } = message;
  const start = { ...message, content: [], stop_reason: null };
  const events: object[] = [{ type: 'message_start', message: start }];
  for (const [index, block] of answer.content.entries()) {
    const isText = block['type'] === 'text';
    const empty = isText ? { ...block, text: '' } : { ...block, input: {} };
    const delta = isText
      ? { type: 'text_delta', text: block['text'] }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) };
    events.push(
      { type: 'content_block_start', index, content_block: empty },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    );
  }
  const delta = { stop_reason: answer.stop_reason, stop_sequence: null };
  events.push({ type: 'message_delta', delta, usage }, { type: 'message_stop' });
  return events
    .map((event) => {
      const { type } = event as { readonly type: string };
      return `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`;
    })
    .join('');
}

const json = { 'content-type': 'application/json' };

/** An error as the API gives it. */
export function refusalOf(message: string, status = 400): Response {
  const body = { type: 'error', error: { type: 'invalid_request_error', message } };
  return new Response(JSON.stringify(body), { status, headers: json });
}

/** Makes the client. */
export function scriptedClient(script: Script): ScriptedClient {
  const requests: WireRequest[] = [];
  const fetch = async (_url: unknown, init?: { readonly body?: unknown }): Promise<Response> => {
    const request = JSON.parse(String(init?.body)) as WireRequest;
    requests.push(request);
    const answer = script(request, requests.length);
    if (answer instanceof Response) return answer;
    const message = messageOf(answer, request, requests.length);
    if (request.stream !== true) return new Response(JSON.stringify(message), { headers: json });
    const headers = { 'content-type': 'text/event-stream' };
    return new Response(eventsOf({ ...message }, answer), { headers });
  };
  const client = new Anthropic({ apiKey: 'none', fetch, maxRetries: 0 });
  return { client, requests };
}

/** A model that follows the scenario from a step on. */
export function scenarioScript(fromStep = 1): Script {
  return (_request, count) => {
    const step = fromStep + count - 1;
    if (step > scenarioSteps) {
      return { content: [{ type: 'text', text: 'all done' }], stop_reason: 'end_turn' };
    }
    const content = callsOfStep(step).map(({ id, name, input }) => ({
      type: 'tool_use',
      id,
      name,
      input,
    }));
    return { content, stop_reason: 'tool_use' };
  };
}
