import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { bearerOf, callerOfKey } from '../../http/caller.ts';
import type { ServerOptions } from '../../server-options.ts';
import { noQuery } from '../route-parts.ts';
import { inTime, readinessChecks } from './readiness.ts';

const check = z.object({ name: z.string(), isOk: z.boolean(), code: z.string().exactOptional() });

const readyAnswer = z.object({
  isReady: z.boolean(),
  checks: z.array(check).exactOptional().describe('Only told to who has a key'),
});

/** What the routes need beside the context. */
export interface Operation {
  readonly options: ServerOptions;
  readonly isStopping: () => boolean;
}

function healthRoute(app: App): void {
  app.get(
    '/healthz',
    {
      config: { scope: 'open' },
      schema: {
        tags: ['operation'],
        summary: 'Whether the process lives',
        querystring: noQuery,
        response: { 200: z.object({ isAlive: z.literal(true) }) },
      },
    },
    async () => ({ isAlive: true as const }),
  );
}

/** Whether the checks may be told. Where a key cannot be looked up now, its owner is told no more than others. */
async function isKnown(context: ServerContext, { headers }: FastifyRequest): Promise<boolean> {
  const caller = callerOfKey(context.stores, bearerOf(headers.authorization));
  const found = await inTime(Promise.resolve(caller), context.limits.readyMs).catch(
    () => undefined,
  );
  return found !== undefined;
}

function readyRoute(app: App, context: ServerContext, { options, isStopping }: Operation): void {
  const { stores, limits } = context;
  const look = readinessChecks({
    stores,
    storePath: options.storePath,
    minFreeBytes: limits.minFreeBytes,
    patienceMs: limits.readyMs,
  });
  app.get(
    '/readyz',
    {
      config: { scope: 'open' },
      schema: {
        tags: ['operation'],
        summary: 'Whether the server can work: store, collections, disk',
        querystring: noQuery,
        response: { 200: readyAnswer, 503: readyAnswer },
      },
    },
    async (request, reply) => {
      const [found, mayKnow] = await Promise.all([
        look(),
        options.access === 'none' || isKnown(context, request),
      ]);
      const checks = [...found, { name: 'is not about to stop', isOk: !isStopping() }];
      const isReady = checks.every(({ isOk }) => isOk);
      void reply.code(isReady ? 200 : 503);
      return mayKnow ? { isReady, checks } : { isReady };
    },
  );
}

function metricsRoute(app: App, { metrics }: ServerContext): void {
  app.get(
    '/metrics',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['operation'],
        summary: 'Counters and latencies, as Prometheus reads them',
        querystring: noQuery,
        response: { 200: z.string() },
      },
    },
    async (_request, reply) => {
      void reply.type(metrics.contentType);
      return reply.serializer((text: string) => text).send(await metrics.text());
    },
  );
}

/** Whether the server lives, is ready, and what it counts. */
export function operationRoutes(app: App, context: ServerContext, operation: Operation): void {
  healthRoute(app);
  readyRoute(app, context, operation);
  metricsRoute(app, context);
}
