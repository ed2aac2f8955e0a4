import { type ContextStore, type Session, sessionExtras } from '@ctx/store';
import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { entityTag, isKnownVersion } from '../../http/entity-tag.ts';
import { urlId } from '../../http/id-in-url.ts';
import { notFound } from '../../problems/problem.ts';
import { factEntrySchema, sessionFactEntryOf } from '../../schemas/fact-entry.ts';
import { taskEntryOf, taskEntrySchema } from '../../schemas/task-entry.ts';
import { noQuery, sessionParams } from '../route-parts.ts';
import { factBody } from './fact-body.ts';

const factsAnswer = z.object({ facts: z.array(factEntrySchema) });

const taskBody = z.strictObject({
  description: z.string().max(4000).exactOptional(),
  status: z.string().min(1).max(100).exactOptional(),
  progress: z.number().min(0).max(1).exactOptional(),
});

async function sessionOf(store: ContextStore, id: string): Promise<Session> {
  const session = await store.sessions.get(id);
  if (session === undefined) throw notFound('GET /v1/sessions lists the sessions.');
  return session;
}

function factsOf({ document }: Session): z.infer<typeof factsAnswer> {
  const notes = new Map(sessionExtras(document).fact_notes.map((note) => [note.text, note]));
  return { facts: document.facts.map((text) => sessionFactEntryOf(text, notes.get(text))) };
}

function readFactsRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/sessions/:session/facts',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['facts'],
        summary: 'Facts of a session',
        params: sessionParams,
        querystring: noQuery,
        response: { 200: factsAnswer },
      },
    },
    async (request, reply) => {
      const session = await sessionOf(await storeOf(stores, request), request.params.session);
      if (isKnownVersion(request, reply, session.version)) return reply;
      return factsOf(session);
    },
  );
}

function addFactRoute(app: App, { stores }: ServerContext): void {
  app.post(
    '/v1/sessions/:session/facts',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['facts'],
        summary: 'State a fact, or let it take the place of another',
        params: sessionParams,
        querystring: noQuery,
        body: factBody,
        response: {
          200: z.object({ added: z.boolean(), sameAs: z.string().exactOptional() }),
        },
      },
    },
    async (request, reply) => {
      const memory = (await storeOf(stores, request)).sessions.memory(request.params.session);
      const { supersedes: old, ...fact } = request.body;
      const { session, added, sameAs } =
        old === undefined
          ? await memory.addFact(fact)
          : await memory.supersedeFact({ ...fact, old });
      void reply.header('etag', entityTag(session.version));
      return { added, ...(sameAs === undefined ? {} : { sameAs }) };
    },
  );
}

const tasksAnswer = z.object({ tasks: z.array(taskEntrySchema) });

function readTasksRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/sessions/:session/tasks',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['tasks'],
        summary: 'Tasks of a session',
        params: sessionParams,
        querystring: noQuery,
        response: { 200: tasksAnswer },
      },
    },
    async (request, reply) => {
      const session = await sessionOf(await storeOf(stores, request), request.params.session);
      if (isKnownVersion(request, reply, session.version)) return reply;
      return { tasks: session.document.active_tasks.map(taskEntryOf) };
    },
  );
}

function setTaskRoute(app: App, { stores }: ServerContext): void {
  app.put(
    '/v1/sessions/:session/tasks/:task',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['tasks'],
        summary: 'Begin or change a task',
        params: z.strictObject({ session: urlId, task: urlId }),
        querystring: noQuery,
        body: taskBody,
        response: { 200: tasksAnswer },
      },
    },
    async (request, reply) => {
      const { session: id, task } = request.params;
      const memory = (await storeOf(stores, request)).sessions.memory(id);
      const session = await memory.updateTask({ id: task, ...request.body });
      void reply.header('etag', entityTag(session.version));
      return { tasks: session.document.active_tasks.map(taskEntryOf) };
    },
  );
}

/** What is kept in mind: facts and tasks of sessions. */
export function memoryRoutes(app: App, context: ServerContext): void {
  readFactsRoute(app, context);
  addFactRoute(app, context);
  readTasksRoute(app, context);
  setTaskRoute(app, context);
}
