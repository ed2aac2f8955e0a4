import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import type { Readable } from 'node:stream';
import type { AnswerReader, Exchange } from '../exchange/types.ts';
import { decoded, tapOf } from './codings.ts';
import { forwarded } from './headers.ts';
import { isNested, nestedHeader } from './nested.ts';
import { isRefusal, readRefusal } from './refusals.ts';

/** A request on its way to the provider. */
export interface Outgoing {
  readonly url: URL;
  readonly incoming: http.IncomingMessage;
  readonly response: http.ServerResponse;
}

const agents = {
  'http:': new http.Agent({ keepAlive: true }),
  'https:': new https.Agent({ keepAlive: true }),
} as const;

type Body = Uint8Array | Readable;

/** Whether the provider closed a connection that had rested, before it took the request. */
function isStale(outgoing: http.ClientRequest, error: Error): boolean {
  return outgoing.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
}

/**
 * Sends a request; resolves with the head of the answer. The request ends with the client's. If a connection that rested turns out to be
 * closed, another one is taken.
 */
function send(
  { url, incoming, response }: Outgoing,
  body: Body,
  coding: 'as given' | 'plain',
): Promise<http.IncomingMessage> {
  const isHeld = body instanceof Uint8Array;
  const left = ['host', nestedHeader, ...(isHeld ? ['content-length'] : [])];
  if (coding === 'plain') left.push('content-encoding');
  const headers = ['Host', url.host, ...forwarded(incoming.rawHeaders, left)];
  if (isNested(url)) headers.push(nestedHeader, '1');
  if (isHeld && (body.length > 0 || incoming.method === 'POST')) {
    headers.push('Content-Length', String(body.length));
  }
  const isSecure = url.protocol === 'https:';
  const { request } = isSecure ? https : http;
  // What streams cannot be sent again, so it does not go over a connection that may be closed.
  const agent = isHeld && (isSecure ? agents['https:'] : agents['http:']);
  let held: Body | undefined = body;
  return new Promise((resolve, reject) => {
    const start = (): void => {
      const taken = (answer: http.IncomingMessage): void => {
        held = undefined; // An answer may take minutes, and a body megabytes.
        resolve(answer);
      };
      const outgoing = request(url, { method: incoming.method, headers, agent }, taken);
      outgoing.on('upgrade', (_answer, socket) => {
        socket.destroy();
        reject(new Error('it changed the protocol, which nobody asked for'));
      });
      outgoing.on('error', (error) => {
        // What was answered is held no more, and not asked for again.
        const mayAgain = held instanceof Uint8Array && isStale(outgoing, error);
        if (mayAgain && !response.destroyed) start();
        else reject(error);
      });
      response.on('close', () => {
        if (!response.writableFinished) outgoing.destroy();
      });
      if (held instanceof Uint8Array) outgoing.end(held);
      else held?.pipe(outgoing);
    };
    start();
  });
}

/** Writes a chunk; resolves when more may be written, or the client is gone. */
async function write(response: http.ServerResponse, chunk: Uint8Array): Promise<void> {
  if (response.write(chunk) || response.destroyed) return;
  const gone = new AbortController();
  const { signal } = gone;
  await Promise.race([
    once(response, 'drain', { signal }),
    once(response, 'close', { signal }),
  ]).catch(() => undefined);
  gone.abort();
}

function writeHead(answer: http.IncomingMessage, response: http.ServerResponse): void {
  const { statusCode = 502, statusMessage = '', rawHeaders } = answer;
  response.sendDate = false;
  response.writeHead(statusCode, statusMessage, forwarded(rawHeaders));
  // Sends the head in the bytes that came: `flushHeaders` writes it as UTF-8.
  response.write(new Uint8Array());
}

/** An answer that is to be passed on, and what looks at it. */
export interface Answered {
  readonly answer: http.IncomingMessage;
  readonly reader: AnswerReader;
  /** What was read of it before. Default: nothing. */
  readonly begun?: readonly Buffer[];
}

async function* chunksOf({ answer, begun = [] }: Answered): AsyncGenerator<Buffer> {
  yield* begun;
  yield* answer as AsyncIterable<Buffer>;
}

/**
 * Passes an answer on, chunk by chunk as it comes, while its reader looks at it. An answer that is cut off is cut off for the client; what
 * it told until then counts.
 */
export async function relay(answered: Answered, response: http.ServerResponse): Promise<void> {
  const { answer, reader } = answered;
  writeHead(answer, response);
  const tap = tapOf(reader, answer.headers['content-encoding']);
  try {
    for await (const chunk of chunksOf(answered)) {
      tap.write(chunk);
      await write(response, chunk);
    }
  } catch {
    response.destroy();
    await tap.end();
    return;
  }
  const kept = tap.end();
  const { rawTrailers } = answer;
  if (rawTrailers.length > 0) response.addTrailers(pairsOf(rawTrailers));
  response.end();
  await kept;
}

function pairsOf(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at] ?? '', raw[at + 1] ?? '']);
  return pairs;
}

const nothing: AnswerReader = { write: () => undefined, end: () => Promise.resolve() };

/** Passes on what another side asks, both ways, byte for byte. */
export async function passThrough(outgoing: Outgoing, body: Body): Promise<void> {
  const answer = await send(outgoing, body, 'as given');
  await relay({ answer, reader: nothing }, outgoing.response);
}

function sendBody(outgoing: Outgoing, body: string | undefined, given: Uint8Array) {
  return body === undefined
    ? send(outgoing, given, 'as given')
    : send(outgoing, Buffer.from(body), 'plain');
}

/** What to send after a refusal, if anything. */
async function secondBody(
  exchange: Exchange,
  { headers, statusCode = 400 }: http.IncomingMessage,
  refusal: readonly Buffer[],
): Promise<string | undefined> {
  const text = await decoded(Buffer.concat(refusal), headers['content-encoding']);
  return text && (await exchange.refused(statusCode, Buffer.from(text).toString()));
}

/**
 * Sends the request of a conversation, once more where the provider refuses what was made of it. Returns the answer that is to be passed
 * on; none if it was a refusal, which has been.
 */
export async function sendExchange(
  outgoing: Outgoing,
  exchange: Exchange,
  given: Uint8Array,
): Promise<Answered | undefined> {
  const { response } = outgoing;
  let answer = await sendBody(outgoing, exchange.body, given);
  let begun: readonly Buffer[] = [];
  if (exchange.sessionId !== undefined && isRefusal(answer.statusCode)) {
    const rest = answer.iterator({ destroyOnReturn: false });
    const { chunks, isWhole } = await readRefusal(rest as AsyncIterable<Buffer>);
    const again = isWhole ? await secondBody(exchange, answer, chunks) : undefined;
    if (again !== undefined) answer = await sendBody(outgoing, again, given);
    else if (isWhole) {
      writeHead(answer, response);
      response.end(Buffer.concat(chunks));
      return undefined;
    } else begun = chunks;
  }
  return { answer, reader: exchange.answer(answer.headers['content-type']), begun };
}
