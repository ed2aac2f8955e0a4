import { Buffer } from 'node:buffer';
import { createServer, type ServerResponse } from 'node:http';

/** One answer of the scripted model: a call of a tool, or text that ends the turn. */
export type Turn = Answer | ((body: Readonly<Record<string, unknown>>) => Answer);

type Answer =
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly text: string };

/** What reached the provider on the path of a conversation. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ScriptedProvider {
  readonly url: string;
  /** Requests of the conversation: those with tools. */
  readonly received: readonly ReceivedRequest[];
  /** What was refused, and why. */
  readonly refused: readonly string[];
  close(): Promise<void>;
}

type Judge = (body: Readonly<Record<string, unknown>>) => string | undefined;

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** How many calls of tools the conversation holds: which turn of the script is next. */
function turnsDone(body: Readonly<Record<string, unknown>>): number {
  const text = JSON.stringify(body['messages'] ?? []);
  const ids = new Set(text.match(/scripted_\d+/g));
  const last = [...ids].map((id) => Number(id.slice('scripted_'.length)));
  return last.length === 0 ? 0 : Math.max(...last) + 1;
}

function sse(response: ServerResponse, events: readonly Readonly<Record<string, unknown>>[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    response.write(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}

function answerStream(
  turn: Answer,
  place: number,
  usage: object,
): Readonly<Record<string, unknown>>[] {
  const isCall = 'tool' in turn;
  const id = `scripted_${String(place)}`;
  const block = isCall
    ? { type: 'tool_use', id, name: turn.tool, input: {} }
    : { type: 'text', text: '' };
  const delta = isCall
    ? { type: 'input_json_delta', partial_json: JSON.stringify(turn.input) }
    : { type: 'text_delta', text: turn.text };
  const message = {
    id: `msg_${String(place)}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
  };
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: isCall ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 20 },
    },
    { type: 'message_stop' },
  ];
}

/** What a provider keeps of what it was asked. */
interface Kept {
  readonly script: readonly Turn[];
  readonly judge: Judge;
  readonly received: ReceivedRequest[];
  readonly refused: string[];
}

function answerJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

function answer(
  { script, judge, received, refused }: Kept,
  { path, headers, body }: ReceivedRequest,
  response: ServerResponse,
): void {
  const tokens = Math.ceil(JSON.stringify(body).length / 4);
  if (path.includes('count_tokens')) {
    answerJson(response, 200, { input_tokens: tokens });
    return;
  }
  const usage = {
    input_tokens: tokens,
    output_tokens: 1,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
  };
  const tools = body['tools'];
  if (!isList(tools) || tools.length === 0) {
    sse(response, answerStream({ text: '{"title":"Chores"}' }, 0, usage));
    return;
  }
  const message = judge(body);
  if (message !== undefined) {
    refused.push(message);
    answerJson(response, 400, { type: 'error', error: { type: 'invalid_request_error', message } });
    return;
  }
  received.push({ path, headers, body });
  const place = turnsDone(body);
  const turn = script[place] ?? { text: 'nothing is left' };
  sse(response, answerStream(typeof turn === 'function' ? turn(body) : turn, place, usage));
}

/** A provider on loopback whose model follows a script, and which refuses what `judge` refuses. */
export async function scriptedProvider(
  script: readonly Turn[],
  judge: Judge,
): Promise<ScriptedProvider> {
  const kept: Kept = { script, judge, received: [], refused: [] };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      if (!path.startsWith('/v1/messages')) {
        answerJson(response, 404, {});
        return;
      }
      const text = Buffer.concat(chunks).toString();
      const body = JSON.parse(text) as Readonly<Record<string, unknown>>;
      answer(kept, { path, headers, body }, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    received: kept.received,
    refused: kept.refused,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
