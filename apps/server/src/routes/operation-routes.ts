import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isCtxError } from '@ctx/core';
import { z } from 'zod';
import type { App, ServerContext } from '../app.ts';
import { bearerOf, callerOfKey } from '../http/caller.ts';
import type { ServerOptions } from '../server-options.ts';
import { noQuery } from './route-parts.ts';

const check = z.object({ name: z.string(), isOk: z.boolean(), code: z.string().exactOptional() });

const readyAnswer = z.object({
  isReady: z.boolean(),
  checks: z.array(check).exactOptional().describe('Only told to who has a key'),
});

type Check = z.infer<typeof check>;

async function checked(name: string, work: () => Promise<boolean>): Promise<Check> {
  try {
    return { name, isOk: await work() };
  } catch (error) {
    return { name, isOk: false, code: isCtxError(error) ? error.code : 'UNEXPECTED' };
  }
}

/** Free room for those who may not use the reserve of the system. */
async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path).catch(() => statfs(dirname(path)));
  return bavail * bsize;
}

async function checksOf(
  { stores, limits }: ServerContext,
  { storePath }: ServerOptions,
  isStopping: () => boolean,
): Promise<Check[]> {
  const store = checked('store takes writes', async () => {
    await stores.probe();
    return true;
  });
  // A backend makes what its collections need as it is opened; a store that opens is up to date.
  const migrations = checked('collections are up to date', async () => {
    await stores.store('default');
    return true;
  });
  const disk = checked('disk has room', async () => {
    return storePath === undefined || (await freeBytes(storePath)) >= limits.minFreeBytes;
  });
  const going = checked('is not about to stop', async () => !isStopping());
  return Promise.all([store, migrations, disk, going]);
}

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

function readyRoute(app: App, context: ServerContext, { options, isStopping }: Operation): void {
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
      const checks = await checksOf(context, options, isStopping);
      const isReady = checks.every(({ isOk }) => isOk);
      const key = bearerOf(request.headers.authorization);
      const isKnown =
        options.access === 'none' || (await callerOfKey(context.stores, key)) !== undefined;
      void reply.code(isReady ? 200 : 503);
      return isKnown ? { isReady, checks } : { isReady };
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
