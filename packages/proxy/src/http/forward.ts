import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import type { Readable } from 'node:stream';
import type { AnswerReader, Exchange } from '../exchange/types.ts';
import { decoded, tapOf } from './codings.ts';
import { forwarded } from './headers.ts';
import { isNested, nestedHeader } from './nested.ts';

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
  response.flushHeaders();
}

/**
 * Passes an answer on, chunk by chunk as it comes, while `reader` looks at it. An answer that is cut off is cut off for the client; what it
 * told until then counts.
 */
export async function relay(
  answer: http.IncomingMessage,
  response: http.ServerResponse,
  reader: AnswerReader,
): Promise<void> {
  writeHead(answer, response);
  const tap = tapOf(reader, answer.headers['content-encoding']);
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
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

/** Most of a refusal that is read, bytes; a longer one is passed on unread. */
const maxRefusalBytes = 1024 * 1024;

/** A refusal that was read whole; `undefined` if it is too long for that. */
async function readRefusal(answer: http.IncomingMessage): Promise<Buffer | undefined> {
  const length = Number(answer.headers['content-length'] ?? 0);
  if (length > maxRefusalBytes) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const nothing: AnswerReader = { write: () => undefined, end: () => Promise.resolve() };

/** Passes on what another side asks, both ways, byte for byte. */
export async function passThrough(outgoing: Outgoing, body: Body): Promise<void> {
  await relay(await send(outgoing, body, 'as given'), outgoing.response, nothing);
}

function isRefusal({ statusCode }: http.IncomingMessage): boolean {
  return statusCode === 400 || statusCode === 413;
}

function sendBody(outgoing: Outgoing, body: string | undefined, given: Uint8Array) {
  return body === undefined
    ? send(outgoing, given, 'as given')
    : send(outgoing, Buffer.from(body), 'plain');
}

/** An answer that is to be passed on, and what looks at it. */
interface Answered {
  readonly answer: http.IncomingMessage;
  readonly reader: AnswerReader;
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
  if (exchange.sessionId !== undefined && isRefusal(answer)) {
    const refusal = await readRefusal(answer);
    const text = refusal && (await decoded(refusal, answer.headers['content-encoding']));
    const again =
      text && (await exchange.refused(answer.statusCode ?? 400, Buffer.from(text).toString()));
    if (again === undefined && refusal !== undefined) {
      writeHead(answer, response);
      response.end(refusal);
      return undefined;
    }
    if (again !== undefined) answer = await sendBody(outgoing, again, given);
  }
  return { answer, reader: exchange.answer(answer.headers['content-type']) };
}
