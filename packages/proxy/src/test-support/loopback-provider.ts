import { Buffer } from 'node:buffer';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { ProxyOptions } from '../exchange/types.ts';
import { proxyListeners } from '../http/listener.ts';
import { createProxy, type Proxy } from '../proxy.ts';

/** A request as it reached the provider. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Answers a request; `count`: how many came before. */
export type Answer = (received: Received, response: ServerResponse, count: number) => void;

/** A server on loopback that stands for a provider. */
export interface LoopbackProvider {
  readonly url: URL;
  readonly received: readonly Received[];
  /** How many connections were made to it. */
  readonly connections: () => number;
  close(): Promise<void>;
}

function listen(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

function closer(server: ReturnType<typeof createServer>) {
  return (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    });
}

export async function loopbackProvider(answer: Answer): Promise<LoopbackProvider> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks) };
      received.push(one);
      answer(one, response, received.length - 1);
    });
    request.on('error', () => undefined);
  });
  let connections = 0;
  server.on('connection', () => (connections += 1));
  const url = new URL(`http://127.0.0.1:${String(await listen(server))}`);
  return { url, received, connections: () => connections, close: closer(server) };
}

/** A proxy that listens, and its address with the token. */
export interface ListeningProxy {
  readonly proxy: Proxy;
  readonly origin: string;
  /** With the token. */
  readonly base: string;
  close(): Promise<void>;
}

export const testToken = 'token-of-a-test';

export async function listeningProxy(
  upstream: URL,
  options: ProxyOptions,
): Promise<ListeningProxy> {
  const proxy = createProxy(options);
  const upstreams = { anthropic: upstream, openai: upstream, gemini: upstream };
  const listeners = proxyListeners({ proxy, token: testToken, upstreams });
  const server = createServer(listeners.request).on('upgrade', listeners.upgrade);
  const origin = `http://127.0.0.1:${String(await listen(server))}`;
  const close = closer(server);
  return {
    proxy,
    origin,
    base: `${origin}/t/${testToken}`,
    close: async () => {
      await close();
      await proxy.close();
    },
  };
}

/** The events of a short answer of Anthropic's, as a stream. */
export function anthropicStream(text: string, usage: Readonly<Record<string, number>>): string {
  const events = [
    { type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } },
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

/** A refusal longer than the proxy reads: sends two parts at once, and a third when the test ends it. */
export function longRefusal() {
  const part = Buffer.alloc(600_000, 'no ');
  let last: ServerResponse | undefined;
  const answer: Answer = (_received, response) => {
    last = response.writeHead(400);
    response.write(part);
    response.write(part);
  };
  const end = (): void => void last?.end(part);
  return { answer, end, whole: Buffer.concat([part, part, part]) };
}
