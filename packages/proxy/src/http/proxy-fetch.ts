import { Buffer } from 'node:buffer';
import { dialectOf } from '../dialects/dialects.ts';
import { checkProxy } from '../exchange/check-given.ts';
import type { AnswerReader, Exchange } from '../exchange/types.ts';
import type { Proxy } from '../proxy.ts';
import { decoded, maxBodyBytes, tooLarge, unreadable } from './codings.ts';
import { isNested, nestedHeader } from './nested.ts';
import { isRefusal, readRefusal } from './refusals.ts';

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

/** A copy of a body, which the caller may write over; `undefined` for one that can be read once only. */
function bytesOf(body: RequestInit['body']): Uint8Array | undefined {
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof ArrayBuffer) return Buffer.from(body.slice(0));
  if (!ArrayBuffer.isView(body)) return undefined;
  return Buffer.from(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
}

type Source = ReadableStreamDefaultReader<Uint8Array>;

/** An answer that is to be handed on. */
interface Heard {
  readonly answer: Response;
  readonly source: Source | undefined;
  /** What was read of it before. */
  readonly begun: readonly Uint8Array[];
}

async function* chunksOf(source: Source, begun: Heard['begun']): AsyncGenerator<Uint8Array, void> {
  yield* begun;
  for (let { value } = await source.read(); value; { value } = await source.read()) yield value;
}

/** What comes through while a reader looks at it. What an answer told counts, also if it is left in the middle. */
function tapped({ answer, source, begun }: Heard, reader: AnswerReader): Response {
  if (source === undefined) return answer;
  const rest = chunksOf(source, begun);
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { value } = await rest.next().catch(async (error: unknown) => {
        await reader.end();
        throw error;
      });
      if (value === undefined) {
        await reader.end();
        controller.close();
        return;
      }
      reader.write(value);
      controller.enqueue(value);
    },
    cancel: async (reason) => {
      await source.cancel(reason);
      await reader.end();
    },
  });
  const { status, statusText, headers, url } = answer;
  const made = new Response(body, { status, statusText, headers });
  return Object.defineProperty(made, 'url', { value: url });
}

const heard = (answer: Response): Heard => ({
  answer,
  source: answer.body?.getReader(),
  begun: [],
});

/** What to send after a refusal, if anything, and the answer that is handed on if there is nothing. */
async function heardOut(
  exchange: Exchange,
  first: Heard,
): Promise<Heard & { readonly again?: string | undefined }> {
  const { answer, source } = first;
  if (source === undefined || exchange.sessionId === undefined) return first;
  if (!isRefusal(answer.status)) return first;
  const { chunks, isWhole } = await readRefusal(chunksOf(source, []));
  const text = Buffer.concat(chunks).toString();
  const again = isWhole ? await exchange.refused(answer.status, text) : undefined;
  return { ...first, begun: chunks, again };
}

/** The settings of a request with another body, whose length and encoding are its own. */
function withBody(init: RequestInit, body: string): RequestInit {
  const headers = new Headers(init.headers);
  for (const name of ['content-length', 'content-encoding']) headers.delete(name);
  return { ...init, headers, body };
}

/** The settings of a conversation's request, which a proxy that it goes to passes on. */
function markedFor(input: string | URL, init: RequestInit): RequestInit {
  if (!isNested(new URL(input))) return init;
  const headers = new Headers(init.headers);
  headers.set(nestedHeader, '1');
  return { ...init, headers };
}

/** What a request of a conversation says of itself; `undefined` for everything else. */
function conversationOf(input: string | URL, { method, headers }: RequestInit) {
  const path = ownPath(new URL(input));
  if (method?.toUpperCase() !== 'POST' || dialectOf(path) === undefined) return undefined;
  return { path, headers: Object.fromEntries(new Headers(headers).entries()) };
}

/** The body of a conversation's request without its encoding, or why it is passed on unread. */
async function readBody(
  body: RequestInit['body'],
  coding: string | undefined,
): Promise<Uint8Array | string> {
  const bytes = bytesOf(body);
  if (bytes === undefined) return 'a request streams its body: it is passed on as it came';
  if (bytes.length > maxBodyBytes) return tooLarge;
  return (await decoded(bytes, coding)) ?? unreadable('a request', coding);
}

/** The address and settings of a request that a program made as an object, which is used up. */
async function takenApart(request: Request): Promise<readonly [string, RequestInit]> {
  const { url, method, headers, signal, redirect } = request;
  const body = Buffer.from(await request.arrayBuffer());
  return [url, { method, headers, signal, redirect, body }];
}

/**
 * Wraps a `fetch`, for SDKs that take one: conversations are kept small as by the proxy, everything else goes out as it came.
 * @throws CtxError `CTX_INVALID_OPTION` without a proxy.
 * @example const client = new Anthropic({ fetch: proxyFetch({ proxy: createProxy({ store }) }) });
 */
export function proxyFetch(options: ProxyFetchOptions): typeof fetch {
  const { proxy, fetch: send = fetch }: ProxyFetchOptions = { ...options };
  checkProxy(proxy);
  const follow = async (input: string | URL, given: RequestInit): Promise<Response> => {
    const asked = conversationOf(input, given);
    if (asked === undefined) {
      proxy.passOn();
      return send(input, given);
    }
    const init = markedFor(input, given);
    const body = await readBody(init.body, asked.headers['content-encoding']);
    if (typeof body === 'string') {
      proxy.passOn(body);
      return send(input, init);
    }
    const exchange = await proxy.exchange({ ...asked, body });
    const first = exchange.body === undefined ? init : withBody(init, exchange.body);
    const { again, ...asIs } = await heardOut(exchange, heard(await send(input, first)));
    const last = again === undefined ? asIs : heard(await send(input, withBody(init, again)));
    return tapped(last, exchange.answer(last.answer.headers.get('content-type') ?? undefined));
  };
  return async (input, init = {}) => {
    if (!(input instanceof Request)) return follow(input, init);
    const { method = input.method } = init;
    if (conversationOf(input.url, { method }) !== undefined) {
      return follow(...(await takenApart(new Request(input, init))));
    }
    proxy.passOn();
    return send(input, init);
  };
}
