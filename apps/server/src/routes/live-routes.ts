import { once } from 'node:events';
import { liveEventTypes } from '@ctx/core/serving';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App, ServerContext } from '../app.ts';
import { callerOf } from '../http/caller.ts';
import { textId } from '../http/id-in-url.ts';
import type { EndConnection } from '../live/live-connections.ts';
import { type LiveMessage, pumpEvents } from '../live/pump-events.ts';
import { type LiveSocket, serveSocket } from '../live/socket-reader.ts';
import { problem } from '../problems/problem.ts';
import { wholeNumber } from './route-parts.ts';

const liveQuery = z.strictObject({
  since: wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .exactOptional()
    .describe('The last event you have'),
  agent: textId.exactOptional(),
  session: textId.exactOptional(),
  type: z.enum(liveEventTypes).exactOptional(),
});

type LiveQuery = z.infer<typeof liveQuery>;

/** One message of the stream: `Last-Event-ID` of a reconnect is the sequence number. */
function frameOf(message: LiveMessage): string {
  const place = message.kind === 'event' ? message.event.sequence : message.sequence;
  const body = message.kind === 'event' ? message.event : { sequence: message.sequence };
  return `id: ${String(place)}\nevent: ${message.kind}\ndata: ${JSON.stringify(body)}\n\n`;
}

function sinceOf({ headers }: FastifyRequest, query: LiveQuery): number | undefined {
  const last = headers['last-event-id'];
  const place = typeof last === 'string' && /^\d{1,15}$/.test(last) ? Number(last) : query.since;
  return place;
}

async function stream(
  { hub, connections, limits }: ServerContext,
  [request, reply]: readonly [FastifyRequest, FastifyReply],
  query: LiveQuery,
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
  const since = sinceOf(request, query);
  const { agent, session, type } = query;
  const filter = {
    ...(agent === undefined ? {} : { agent }),
    ...(session === undefined ? {} : { session }),
    ...(type === undefined ? {} : { types: [type] }),
  };
  try {
    const reader = { tenant, filter, signal: gone.signal, send };
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
        throw problem(406, 'This is a stream of events: accept text/event-stream.');
      }
      reply.hijack();
      const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      );
      reply.raw.writeHead(200, {
        ...Object.fromEntries(headers),
        'content-type': 'text/event-stream; charset=utf-8',
      });
      reply.raw.flushHeaders();
      await stream(context, [request, reply], request.query).catch(() => reply.raw.destroy());
    },
    wsHandler: (socket: LiveSocket, { log }) => {
      void serveSocket(context, socket, { access, log });
    },
  });
}
