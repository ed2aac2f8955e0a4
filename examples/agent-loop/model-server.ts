/**
 * A model on this machine that speaks the API of `/v1/messages`. What it answers is a script; what it refuses is what the real one
 * refuses: calls without results, results without calls, requests over the window.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';

export interface WireBlock {
  readonly type: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly text?: string;
  readonly content?: string | readonly WireBlock[];
}

export interface WireRequest {
  readonly messages: readonly { readonly role: string; readonly content: readonly WireBlock[] }[];
}

/** What the model says: a text, or calls of tools. */
export type Answer = readonly Readonly<Record<string, unknown>>[];

export interface ModelServer {
  readonly url: string;
  readonly requests: readonly WireRequest[];
  readonly refusals: readonly string[];
  readonly close: () => Promise<void>;
}

function idsOf(blocks: readonly WireBlock[], type: string): string {
  const ids = blocks.flatMap((block) =>
    block.type === type ? [block.id ?? block.tool_use_id ?? ''] : [],
  );
  return ids.toSorted().join();
}

/** Why the request is refused; `undefined` where it is taken. */
function refusalOf({ messages }: WireRequest, tokens: number, limit: number): string | undefined {
  if (tokens > limit)
    return `prompt is too long: ${String(tokens)} tokens > ${String(limit)} maximum`;
  if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  for (const [index, { content }] of messages.entries()) {
    if (content.length === 0) return `messages.${String(index)}: content is empty`;
    const next = messages[index + 1]?.content ?? [];
    if (idsOf(content, 'tool_use') !== idsOf(next, 'tool_result')) {
      return `messages.${String(index)}: tool_use ids were found without tool_result blocks`;
    }
  }
  return undefined;
}

async function bodyOf(request: IncomingMessage): Promise<WireRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as WireRequest;
}

function closing(server: Server): () => Promise<void> {
  return () =>
    new Promise((resolve) => {
      server.close(() => {
        resolve();
      });
    });
}

/** Starts the model on a free port of this machine only. `say` gives the answer to the n-th request, from 1. */
export async function startModel(
  say: (turn: number, request: WireRequest) => Answer,
  windowTokens: number,
): Promise<ModelServer> {
  const requests: WireRequest[] = [];
  const refusals: string[] = [];
  const server = createServer((incoming, response) => {
    void bodyOf(incoming).then((request) => {
      const tokens = Math.ceil(JSON.stringify(request).length / 4);
      const refusal = refusalOf(request, tokens, windowTokens);
      response.statusCode = refusal === undefined ? 200 : 400;
      response.setHeader('content-type', 'application/json');
      if (refusal !== undefined) {
        refusals.push(refusal);
        const error = { type: 'invalid_request_error', message: refusal };
        response.end(JSON.stringify({ type: 'error', error }));
        return;
      }
      requests.push(request);
      const content = say(requests.length, request);
      const usage = { input_tokens: tokens, output_tokens: 40 };
      response.end(JSON.stringify({ type: 'message', role: 'assistant', content, usage }));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const url = `http://127.0.0.1:${String(port)}/v1/messages`;
  return { url, requests, refusals, close: closing(server) };
}
