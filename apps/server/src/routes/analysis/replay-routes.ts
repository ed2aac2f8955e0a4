import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { textId, urlId } from '../../http/id-in-url.ts';
import { notFound } from '../../problems/problem.ts';
import type { HeldPlay } from '../../what-if/window-plays.ts';
import { noQuery, sessionParams } from '../route-parts.ts';
import { modeMember } from '../sessions/import-members.ts';
import { checkKnownSession } from '../sessions/require-session.ts';

const count = z.int().min(0);

const replayAnswer = z.object({
  id: z.string().describe('Of this watch: others may share the replay'),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  step: count,
  steps: count.describe('0 while the session is read, and where there is nothing to replay'),
  detail: z.string().exactOptional().describe('Why it failed'),
});

type Watched = Pick<HeldPlay, 'state' | 'progress' | 'detail' | 'stop'>;

/** Most watches that are known. A replay whose watch was forgotten runs to its end. */
const maxWatches = 1_000;

/** What stands for sessions that need no replay. */
const nothingToReplay: Watched = {
  ...{ state: 'done', progress: { step: 0, steps: 0 } },
  stop: () => undefined,
};

type Watches = LRUCache<string, Watched>;

function answerOf(id: string, { state, progress, detail }: Omit<Watched, 'stop'>) {
  return { id, state, ...progress, ...(detail === undefined ? {} : { detail }) };
}

const replayParams = z.strictObject({ session: urlId, replay: textId });

interface AskedReplay {
  readonly session: string;
  readonly replay: string;
}

async function keyOf(
  { stores }: ServerContext,
  request: FastifyRequest,
  { session, replay }: AskedReplay,
): Promise<string> {
  const { tenant } = await storeOf(stores, request);
  return JSON.stringify([tenant, session, replay]);
}

function startRoute(app: App, context: ServerContext, watches: Watches): void {
  app.post(
    '/v1/sessions/:session/replays',
    {
      // It only reads, and few are replayed at once.
      config: { scope: 'read' },
      schema: {
        tags: ['window'],
        summary:
          'Replay an imported session as ctx would have sent it, so that its views answer at once; watch it with the id',
        params: sessionParams,
        querystring: noQuery,
        body: z.strictObject(modeMember),
        response: { 202: replayAnswer },
      },
    },
    async (request, reply) => {
      const store = await storeOf(context.stores, request);
      const { session } = request.params;
      const { mode } = request.body;
      await checkKnownSession(store, session);
      const play =
        mode === 'recorded' ? undefined : await context.imported.play(store, session, mode);
      const watched = play ?? nothingToReplay;
      const id = randomUUID();
      watches.set(await keyOf(context, request, { session, replay: id }), watched);
      void reply.code(202);
      return answerOf(id, watched);
    },
  );
}

function readRoute(app: App, context: ServerContext, watches: Watches): void {
  app.get(
    '/v1/sessions/:session/replays/:replay',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['window'],
        summary: 'How far the replay of an imported session is',
        params: replayParams,
        querystring: noQuery,
        response: { 200: replayAnswer },
      },
    },
    async (request) => {
      const watched = watches.get(await keyOf(context, request, request.params));
      if (watched === undefined) throw notFound();
      return answerOf(request.params.replay, watched);
    },
  );
}

function leaveRoute(app: App, context: ServerContext, watches: Watches): void {
  app.delete(
    '/v1/sessions/:session/replays/:replay',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['window'],
        summary: 'Stop watching a replay; it is cancelled unless others need it',
        params: replayParams,
        querystring: noQuery,
        response: { 200: replayAnswer },
      },
    },
    async (request) => {
      const key = await keyOf(context, request, request.params);
      const watched = watches.get(key);
      if (watched === undefined) throw notFound();
      watches.delete(key);
      if (![...watches.values()].includes(watched)) watched.stop();
      return answerOf(request.params.replay, watched);
    },
  );
}

/** Imported sessions as ctx would have sent them: large ones take a while. */
export function replayRoutes(app: App, context: ServerContext): void {
  const watches: Watches = new LRUCache({ max: maxWatches });
  startRoute(app, context, watches);
  readRoute(app, context, watches);
  leaveRoute(app, context, watches);
}
