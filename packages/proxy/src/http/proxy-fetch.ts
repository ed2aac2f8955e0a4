import { Buffer } from 'node:buffer';
import { dialectOf } from '../dialects/dialects.ts';
import type { AnswerReader, Exchange } from '../exchange/types.ts';
import type { Proxy } from '../proxy.ts';

/** How requests are made. */
export interface ProxyFetchOptions {
  readonly proxy: Proxy;
  /** Makes the requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** The part of a path that an API's clients write, whatever stands before it. */
function ownPath({ pathname, search }: URL): string {
  const version = pathname.lastIndexOf('/v1');
  const start = version < 0 ? pathname.search(/\/(?:chat\/completions|responses)$/) : version;
  return pathname.slice(Math.max(start, 0)) + search;
}

/** The text of a body; `undefined` for one that can be read once only. */
function bytesOf(body: RequestInit['body']): Uint8Array | undefined {
  if (typeof body === 'string') return Buffer.from(body);
  return body instanceof Uint8Array ? Buffer.from(body) : undefined;
}

/** What comes through while a reader looks at it. */
function tapped(answer: Response, reader: AnswerReader): Response {
  if (answer.body === null) return answer;
  const tap = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      reader.write(chunk);
      controller.enqueue(chunk);
    },
    flush: () => reader.end(),
  });
  const { status, statusText, headers, url } = answer;
  const made = new Response(answer.body.pipeThrough(tap), { status, statusText, headers });
  return Object.defineProperty(made, 'url', { value: url });
}

/** What to send after a refusal, if anything. */
async function secondBody(exchange: Exchange, answer: Response): Promise<string | undefined> {
  if (exchange.sessionId === undefined) return undefined;
  if (answer.status !== 400 && answer.status !== 413) return undefined;
  const text = await answer.clone().text();
  return exchange.refused(answer.status, text);
}

/** The settings of a request with another body, whose length and encoding are its own. */
function withBody(init: RequestInit, body: string): RequestInit {
  const headers = new Headers(init.headers);
  headers.delete('content-length');
  return { ...init, headers, body };
}

/** A request of a conversation, as the proxy reads it; `undefined` for everything else. */
function conversationOf(input: string | URL | Request, init: RequestInit) {
  const body = bytesOf(init.body);
  if (input instanceof Request || body === undefined) return undefined;
  const path = ownPath(new URL(input));
  const headers = Object.fromEntries(new Headers(init.headers).entries());
  const isRead = init.method?.toUpperCase() === 'POST' && dialectOf(path) !== undefined;
  return isRead && headers['content-encoding'] === undefined ? { path, headers, body } : undefined;
}

/**
 * Wraps a `fetch`, for SDKs that take one: conversations are kept small as by the proxy, everything else goes out as it came.
 * @example const client = new Anthropic({ fetch: proxyFetch({ proxy: createProxy({ store }) }) });
 */
export function proxyFetch({ proxy, fetch: send = fetch }: ProxyFetchOptions): typeof fetch {
  return async (input, init = {}) => {
    const request = conversationOf(input, init);
    if (request === undefined) return send(input, init);
    const exchange = await proxy.exchange(request);
    const first = exchange.body === undefined ? init : withBody(init, exchange.body);
    const answer = await send(input, first);
    const again = await secondBody(exchange, answer);
    const last = again === undefined ? answer : await send(input, withBody(init, again));
    return tapped(last, exchange.answer(last.headers.get('content-type') ?? undefined));
  };
}
