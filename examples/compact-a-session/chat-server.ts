/**
 * A chat service on this machine that speaks the API of `/chat/completions`, as a whole and as a stream. What it answers is a script: it is
 * here so that the real SDK has somebody to talk to.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** What a request asks for, as far as the script looks. */
export interface ChatRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly max_tokens?: number;
  readonly messages: readonly ChatMessage[];
}

export interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

/** A call that the model makes, with a few words before it. */
export interface CallAnswer {
  readonly text: string;
  readonly call: { readonly id: string; readonly name: string; readonly input: object };
}

/** Gives what answers a request: a text, or a call of a tool. */
export type Answer = (request: ChatRequest) => string | CallAnswer;

export interface ChatServer {
  /** Where the API is, up to `/v1`. */
  readonly url: string;
  /** All requests so far. */
  readonly requests: readonly ChatRequest[];
  readonly close: () => Promise<void>;
}

/** Starts the service on a free port of this machine only. */
export async function startChatServer(answer: Answer): Promise<ChatServer> {
  const requests: ChatRequest[] = [];
  const server = createServer((request, response) => {
    void reply(request, response, { answer, requests });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${String(portOf(server))}/v1`, requests, close: closing(server) };
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return address.port;
}

function closing(server: Server): () => Promise<void> {
  return () =>
    new Promise((resolve) => {
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    });
}

interface Script {
  readonly answer: Answer;
  readonly requests: ChatRequest[];
}

async function reply(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, requests }: Script,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // A request without encoding gives buffers.
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
    response.writeHead(404).end();
    return;
  }
  const asked = JSON.parse(Buffer.concat(chunks).toString('utf8')) as ChatRequest;
  requests.push(asked);
  const given = answer(asked);
  const said = typeof given === 'string' ? { text: given } : given;
  if (asked.stream === true) sendStream(response, asked, said);
  else sendWhole(response, asked, said.text);
}

type Said = Pick<CallAnswer, 'text'> & Partial<CallAnswer>;

function sendWhole(response: ServerResponse, asked: ChatRequest, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const message = { role: 'assistant', content: text };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  response.end(
    JSON.stringify({ ...head(asked, 'chat.completion'), choices, usage: usage(asked, text) }),
  );
}

/** Twenty characters an event, the call likewise, then the reason, the usage and the end mark. */
function sendStream(response: ServerResponse, asked: ChatRequest, { text, call }: Said): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (part: object): void => {
    response.write(
      `data: ${JSON.stringify({ ...head(asked, 'chat.completion.chunk'), ...part })}\n\n`,
    );
  };
  const delta = (part: object): void => {
    send({ choices: [{ index: 0, delta: part }] });
  };
  delta({ role: 'assistant', content: '' });
  for (const content of pieces(text)) delta({ content });
  if (call !== undefined) {
    const { id, name, input } = call;
    delta({ tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: '' } }] });
    for (const piece of pieces(JSON.stringify(input))) {
      delta({ tool_calls: [{ index: 0, function: { arguments: piece } }] });
    }
  }
  const reason = call === undefined ? 'stop' : 'tool_calls';
  send({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
  send({ choices: [], usage: usage(asked, text) });
  response.end('data: [DONE]\n\n');
}

function pieces(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / 20) }, (_, at) =>
    text.slice(at * 20, at * 20 + 20),
  );
}

function head(asked: ChatRequest, object: string): object {
  return { id: 'chat-1', object, created: 0, model: asked.model };
}

/** Four characters a token. */
function usage(asked: ChatRequest, text: string): object {
  const prompt = Math.ceil(JSON.stringify(asked.messages).length / 4);
  const completion = Math.ceil(text.length / 4);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
}
