import { Readable } from 'node:stream';
import type { ContextScope } from '@ctx/agent-adapter/mcp';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { callerOf, storeOf } from '../../http/caller.ts';
import { textId, urlId } from '../../http/id-in-url.ts';
import { allows } from '../../keys/api-key.ts';

const mcpQuery = z.strictObject({ agent: textId.exactOptional() });

/** What a client may see and do: its key says it, and the address that it was given. */
async function scopeOf(
  { stores }: ServerContext,
  request: FastifyRequest,
  place: { readonly session?: string; readonly agent?: string },
): Promise<ContextScope> {
  const { session, agent } = place;
  return {
    store: await storeOf(stores, request),
    canWrite: allows(callerOf(request).scope, 'write'),
    ...(session === undefined ? {} : { sessionId: session }),
    ...(agent === undefined ? {} : { agentId: agent }),
  };
}

function headersOf({ headers }: FastifyRequest): Headers {
  const names = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id', 'mcp-method'];
  const given = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && (names.includes(name) || name.startsWith('mcp-'))
      ? [[name, value] as const]
      : [],
  );
  return new Headers(given.map(([name, value]) => [name, value]));
}

async function answer(
  scope: ContextScope,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // Its library is loaded when the first client comes.
  const { serveMcp } = await import('../../mcp/serve-mcp.ts');
  const gone = new AbortController();
  reply.raw.once('close', () => {
    gone.abort();
  });
  const response = await serveMcp(scope, {
    method: request.method,
    url: `http://${request.host}${request.url}`,
    headers: headersOf(request),
    signal: gone.signal,
    ...(request.body === undefined || request.body === null ? {} : { body: request.body }),
  });
  void reply.code(response.status);
  for (const [name, value] of response.headers) void reply.header(name, value);
  if (response.body === null) return reply.send();
  return reply.serializer((body: string) => body).send(Readable.fromWeb(response.body));
}

/** The Model Context Protocol over HTTP: all sessions of the tenant at `/mcp`, one at `/mcp/<session>`. */
export function mcpRoute(app: App, context: ServerContext): void {
  const route = {
    method: ['GET', 'POST', 'DELETE'],
    config: { scope: 'read', isLarge: true },
    bodyLimit: context.limits.largeBodyBytes,
  } as const;
  app.route({
    ...route,
    method: [...route.method],
    url: '/mcp',
    schema: { hide: true, querystring: mcpQuery },
    handler: async (request, reply) =>
      answer(await scopeOf(context, request, request.query), request, reply),
  });
  app.route({
    ...route,
    method: [...route.method],
    url: '/mcp/:session',
    schema: { hide: true, querystring: mcpQuery, params: z.strictObject({ session: urlId }) },
    handler: async (request, reply) => {
      const place = { ...request.query, ...request.params };
      return answer(await scopeOf(context, request, place), request, reply);
    },
  });
}
