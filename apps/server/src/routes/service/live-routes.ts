import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { callerOf } from '../../http/caller.ts';
import type { EndConnection } from '../../live/live-connections.ts';
import { choiceMembers, filterOf, type LiveQuery } from '../../live/live-query.ts';
import { type LiveMessage, pumpEvents } from '../../live/pump-events.ts';
import { type LiveSocket, serveSocket } from '../../live/socket-reader.ts';
import { problem } from '../../problems/problem.ts';
import { wholeNumber } from '../route-parts.ts';

const liveQuery: z.ZodType<LiveQuery> = z.strictObject({
  since: wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .exactOptional()
    .describe('The last event you have'),
  ...choiceMembers,
});

/** One message of the stream: `Last-Event-ID` of a reconnect is the sequence number. */
function frameOf(message: LiveMessage): string {
  const place = message.kind === 'event' ? message.event.sequence : message.sequence;
  const body = message.kind === 'event' ? message.event : { sequence: message.sequence };
  return `id: ${String(place)}\nevent: ${message.kind}\ndata: ${JSON.stringify(body)}\n\n`;
}

/**
 * What a reader asks for; `Last-Event-ID` goes before `since`, since it is newer.
 * @throws 422 where it is no sequence number.
 */
function askedOf({
  headers,
  query,
}: {
  headers: IncomingHttpHeaders;
  query: LiveQuery;
}): LiveQuery {
  const last = headers['last-event-id'];
  if (last === undefined || last === '') return query;
  if (typeof last === 'string' && /^\d+$/.test(last)) return { ...query, since: Number(last) };
  throw problem(422, 'Last-Event-ID must be the sequence number of an event.');
}

async function stream(
  { hub, connections, limits }: ServerContext,
  [request, reply]: readonly [FastifyRequest, FastifyReply],
  asked: LiveQuery,
): Promise<void> {
  const { tenant, keyId } = callerOf(request);
  const gone = new AbortController();
  const { raw } = reply;
  const end: EndConnection = () => {
    gone.abort();
    raw.end();
    setTimeout(() => raw.destroy(), 1000).unref();
  };
  raw.on('close', () => {
    gone.abort();
  });
  // Whoever left before is not told of again.
  if (raw.destroyed) return;
  const send = async (message: LiveMessage): Promise<void> => {
    if (gone.signal.aborted || raw.write(frameOf(message))) return;
    const stalled = AbortSignal.timeout(limits.liveStallMs);
    await once(raw, 'drain', { signal: AbortSignal.any([stalled, gone.signal]) }).catch(() => {
      end(0, 'too slow');
    });
  };
  const forget = connections.add(keyId, end);
  const { since } = asked;
  try {
    const reader = { tenant, filter: filterOf(asked), signal: gone.signal, send };
    await pumpEvents(hub, since === undefined ? reader : { ...reader, since });
  } finally {
    forget();
    raw.end();
  }
}

/** Live events: a WebSocket where one is asked for, else server-sent events. */
export function liveRoutes(app: App, context: ServerContext, access: 'keys' | 'none'): void {
  app.route({
    method: 'GET',
    url: '/v1/live',
    config: { scope: 'read', isSocket: true },
    schema: {
      tags: ['live'],
      summary: 'What changes, as it changes: WebSocket, or server-sent events',
      description:
        'A WebSocket sends {"key": "ctx_…", "since": 0} first. Server-sent events need the header.',
      querystring: liveQuery,
      response: { 200: z.string().describe('text/event-stream') },
    },
    handler: async (request, reply) => {
      const accepted = request.headers.accept ?? '*/*';
      if (!accepted.includes('text/event-stream') && !accepted.includes('*/*')) {
        throw problem(406, 'This address streams events: send Accept: text/event-stream.');
      }
      const asked = askedOf(request);
      reply.hijack();
      const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      );
      reply.raw.writeHead(200, {
        ...Object.fromEntries(headers),
        'content-type': 'text/event-stream; charset=utf-8',
      });
      reply.raw.flushHeaders();
      await stream(context, [request, reply], asked).catch(() => reply.raw.destroy());
    },
    wsHandler: (socket: LiveSocket, { log, query }) => {
      void serveSocket(context, socket, { access, log, query });
    },
  });
}
