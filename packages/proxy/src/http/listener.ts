import { Buffer } from 'node:buffer';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import type { Headers } from '../dialects/dialect.ts';
import { dialectOf } from '../dialects/dialects.ts';
import type { Proxy } from '../proxy.ts';
import { decoded, maxBodyBytes, tooLarge, unreadable } from './codings.ts';
import { type Outgoing, passThrough, relay, sendExchange } from './forward.ts';
import { nestedHeader } from './nested.ts';
import { defaultUpstreams, type Upstreams, upstreamOf } from './upstreams.ts';

/** How requests over HTTP are answered. */
export interface ListenerOptions {
  readonly proxy: Proxy;
  /** Stands in the path of every request, `/t/<token>/v1/messages`: requests without it are refused. */
  readonly token: string;
  readonly upstreams: Upstreams;
}

/** The listeners of a server that the caller opens. Of a loopback address only. */
export interface ProxyListeners {
  readonly request: RequestListener;
  /** Answers 426 to every upgrade: clients go on over HTTP. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex) => void;
}

function answerError(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = JSON.stringify({ type: 'error', error: { type: 'api_error', message } });
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Returns the path after the token; `undefined` if the token is wrong or missing. */
function pathBehind(url: string, token: string): string | undefined {
  const [, given, path = '/'] = /^\/t\/([^/?]{1,200})(\/.*)?$/s.exec(url) ?? [];
  if (given === undefined || !timingSafeEqual(hashOf(given), hashOf(token))) return undefined;
  return path;
}

/** Why a request is not one of an agent of this machine: a page of a browser, or another name for this address. */
function refusalOf({ headers, socket }: IncomingMessage): string | undefined {
  const port = String(socket.localPort ?? '');
  const names = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);
  if (!names.includes(headers.host ?? '')) return `host ${headers.host ?? ''} is not this proxy`;
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) {
    return 'requests of web pages are refused';
  }
  return undefined;
}

const foreignLogin =
  'this is a login of ChatGPT, and its token belongs to chatgpt.com alone; use an API key, or start the agent without ctx';

/** Whether a request bears a token that another host made. */
function isForeignLogin({ headers }: IncomingMessage, { host }: URL): boolean {
  return 'chatgpt-account-id' in headers && host === defaultUpstreams.openai.host;
}

/** The whole body; a stream of it if it is larger than is read. */
async function collect(request: IncomingMessage): Promise<Buffer | Readable> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return request;
  const chunks: Buffer[] = [];
  let bytes = 0;
  const rest = request.iterator({ destroyOnReturn: false });
  for await (const chunk of rest as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > maxBodyBytes) return Readable.from(concatenated(chunks, request));
  }
  return Buffer.concat(chunks);
}

async function* concatenated(chunks: readonly Buffer[], rest: Readable): AsyncGenerator<Buffer> {
  yield* chunks;
  yield* rest as AsyncIterable<Buffer>;
}

function headersOf({ headers }: IncomingMessage): Headers {
  const pairs = Object.entries(headers).map(
    ([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value] as const,
  );
  return Object.fromEntries(pairs);
}

/** Sends a request of a conversation on. Returns the answer, while which nothing of the request is held here. */
async function ask(
  proxy: Proxy,
  outgoing: Outgoing,
  path: string,
): ReturnType<typeof sendExchange> {
  const { incoming } = outgoing;
  const given = await collect(incoming);
  if (!Buffer.isBuffer(given)) {
    proxy.passOn(tooLarge);
    await passThrough(outgoing, given);
    return undefined;
  }
  const coding = incoming.headers['content-encoding'];
  const body = await decoded(given, coding);
  if (body === undefined) {
    proxy.passOn(unreadable('a request', coding));
    await passThrough(outgoing, given);
    return undefined;
  }
  const exchange = await proxy.exchange({ path, headers: headersOf(incoming), body });
  return sendExchange(outgoing, exchange, given);
}

async function answerConversation(proxy: Proxy, outgoing: Outgoing, path: string): Promise<void> {
  const asked = await ask(proxy, outgoing, path);
  if (asked !== undefined) await relay(asked, outgoing.response);
}

/** How requests that were let in are answered. */
export type ServeRequestOptions = Pick<ListenerOptions, 'proxy' | 'upstreams'>;

async function answer(
  { proxy, upstreams }: ServeRequestOptions,
  { path, incoming, response }: ProxiedRequest,
): Promise<void> {
  const url = upstreamOf(upstreams, path, incoming.headers);
  if (isForeignLogin(incoming, url)) {
    answerError(response, 403, `ctx: ${foreignLogin}`);
    return;
  }
  const outgoing = { url, incoming, response };
  const isConversation = incoming.method === 'POST' && dialectOf(path) !== undefined;
  const isFollowed = nestedHeader in incoming.headers;
  if (isConversation && !isFollowed) {
    await answerConversation(proxy, outgoing, path);
    return;
  }
  proxy.passOn();
  await passThrough(outgoing, hasBody(incoming) ? incoming : new Uint8Array());
}

function hasBody({ headers }: IncomingMessage): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A request of an agent, and its path as the provider knows it. */
export interface ProxiedRequest {
  /** With the query. */
  readonly path: string;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
}

/** Answers a request whose sender the caller has checked. Never rejects: what fails is answered 502. */
export async function serveRequest(
  options: ServeRequestOptions,
  request: ProxiedRequest,
): Promise<void> {
  try {
    await answer(options, request);
  } catch (error) {
    answerError(
      request.response,
      502,
      `ctx: the provider could not be reached: ${messageOf(error)}`,
    );
  }
}

/** Answers 426 to an upgrade; a client that is gone by then does no harm. */
export function refuseUpgrade(_request: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => undefined);
  socket.end('HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
}

/** Makes the listeners of a server: requests go on to the providers, conversations shaped, everything else byte for byte. */
export function proxyListeners(options: ListenerOptions): ProxyListeners {
  return {
    request: (incoming, response) => {
      const refusal = refusalOf(incoming);
      const path = pathBehind(incoming.url ?? '', options.token);
      if (refusal !== undefined) answerError(response, 403, `ctx: ${refusal}`);
      else if (path !== undefined) void serveRequest(options, { path, incoming, response });
      else answerError(response, 404, 'ctx: the path of this proxy begins with /t/<token>');
    },
    upgrade: refuseUpgrade,
  };
}
