import {
  type ContextStore,
  emptySessionDocument,
  type Session,
  sessionDocumentSchema,
} from '@ctx/store';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import {
  checkMatch,
  entityTag,
  isKnownVersion,
  namesVersions,
  wantsNew,
} from '../../http/entity-tag.ts';
import { textId } from '../../http/id-in-url.ts';
import { notFound, problem } from '../../problems/problem.ts';
import { sessionEntryOf, sessionEntrySchema } from '../../schemas/session-entry.ts';
import { findSessions } from '../../sessions/find-sessions.ts';
import { endOf, noQuery, pageEnd, pageMembers, sessionParams } from '../route-parts.ts';

const text = z.string().max(2000);

const sessionAnswer = z.object({
  session: sessionEntrySchema,
  version: z.int(),
  document: sessionDocumentSchema,
});

const sessionBody = z.strictObject({
  document: sessionDocumentSchema,
  agentId: textId.optional(),
  title: text.optional(),
});

const sessionPatch = z.strictObject({
  agentId: textId.nullable().optional(),
  title: text.nullable().optional(),
  document: z
    .strictObject({
      system_state: z.record(z.string(), z.unknown()),
      last_known_environment: z.record(z.string(), z.unknown()),
      long_term_summary: z.string(),
      facts: z.array(z.string()),
      active_tasks: z.array(z.record(z.string(), z.unknown())),
    })
    .partial()
    .optional()
    .describe('Members that take the place of those of the document'),
});

function answerOf(session: Session): z.infer<typeof sessionAnswer> {
  const { version, document, ...rest } = session;
  return { session: sessionEntryOf({ ...rest, version }), version, document };
}

/** The text of {@link answerOf}. The document is text already: what is large is neither parsed nor written anew. */
function textOf({
  session,
  document,
}: NonNullable<Awaited<ReturnType<ContextStore['sessions']['text']>>>): string {
  const entry = JSON.stringify(sessionEntryOf(session));
  return `{"session":${entry},"version":${String(session.version)},"document":${document}}`;
}

/** Sends JSON text as it is. */
function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text);
}

function without<T extends object, K extends keyof T>(value: T, name: K): Omit<T, K> {
  const { [name]: _left, ...rest } = value;
  return rest;
}

/** Sets a member, or takes it out where `null` was given. */
function withText(
  session: Session,
  name: 'agentId' | 'title',
  value: string | null | undefined,
): Session {
  if (value === undefined) return session;
  return value === null ? without(session, name) : { ...session, [name]: value };
}

/**
 * The session that is changed.
 * @throws 404, 428, 412.
 */
async function sessionToChange(
  { stores }: ServerContext,
  request: FastifyRequest,
  id: string,
): Promise<Session> {
  const store = await storeOf(stores, request);
  const session = await store.sessions.get(id);
  if (session === undefined) throw notFound();
  checkMatch(request, session.version);
  return session;
}

/** Saves over the version that was named; who came between makes it stale. */
async function saveOver(
  { stores }: ServerContext,
  [request, reply]: readonly [FastifyRequest, FastifyReply],
  session: Session,
): Promise<z.infer<typeof sessionAnswer>> {
  const store = await storeOf(stores, request);
  try {
    const document = store.redactor.redact(session.document).value;
    const saved = await store.sessions.save({ ...session, document, updatedAt: store.clock() });
    void reply.header('etag', entityTag(saved.version));
    return answerOf(saved);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'CTX_STORE_CONFLICT') {
      throw problem(412, 'The session has changed in the meantime.');
    }
    throw error;
  }
}

function listRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/sessions',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['sessions'],
        summary: 'Sessions, newest activity first',
        querystring: z.strictObject({
          ...pageMembers,
          agent: textId.optional(),
          q: z
            .string()
            .max(500)
            .optional()
            .describe('Only those whose id, title or agent holds this, in any case'),
        }),
        response: { 200: z.object({ sessions: z.array(sessionEntrySchema), ...pageEnd }) },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const page = await findSessions(store, request.query);
      return { sessions: page.entries.map(sessionEntryOf), ...endOf(page) };
    },
  );
}

function readRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/sessions/:session',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['sessions'],
        summary: 'One session with its document',
        params: sessionParams,
        querystring: noQuery,
        response: { 200: sessionAnswer },
      },
    },
    async (request, reply) => {
      const { sessions } = await storeOf(stores, request);
      const { session: id } = request.params;
      if (namesVersions(request)) {
        const summary = await sessions.summary(id);
        if (summary === undefined) throw notFound();
        if (isKnownVersion(request, reply, summary.version)) return reply;
      }
      const found = await sessions.text(id);
      if (found === undefined) throw notFound();
      void reply.header('etag', entityTag(found.session.version));
      return sendJson(reply, textOf(found));
    },
  );
}

function putRoute(app: App, context: ServerContext): void {
  app.put(
    '/v1/sessions/:session',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['sessions'],
        summary: 'Replace the document (If-Match), or begin a session (If-None-Match: *)',
        params: sessionParams,
        querystring: noQuery,
        body: sessionBody,
        response: { 200: sessionAnswer, 201: sessionAnswer },
      },
    },
    async (request, reply) => {
      const { session: id } = request.params;
      const { document, agentId = null, title = null } = request.body;
      const named = { ...document, session_id: id };
      if (wantsNew(request)) {
        const now = context.clock();
        const begun: Session = { id, version: 0, createdAt: now, updatedAt: now, document: named };
        void reply.code(201);
        const session = withText(withText(begun, 'agentId', agentId), 'title', title);
        return saveOver(context, [request, reply], session);
      }
      const before = await sessionToChange(context, request, id);
      const session = withText(withText(before, 'agentId', agentId), 'title', title);
      return saveOver(context, [request, reply], { ...session, document: named });
    },
  );
}

function patchRoute(app: App, context: ServerContext): void {
  app.patch(
    '/v1/sessions/:session',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['sessions'],
        summary: 'Change members of a session (If-Match)',
        params: sessionParams,
        querystring: noQuery,
        body: sessionPatch,
        response: { 200: sessionAnswer },
      },
    },
    async (request, reply) => {
      const { session: id } = request.params;
      const { agentId, title, document = {} } = request.body;
      const before = await sessionToChange(context, request, id);
      const session = withText(withText(before, 'agentId', agentId), 'title', title);
      const defaults = { ...emptySessionDocument(id), ...session.document };
      const changed = Object.fromEntries(
        Object.entries(document).filter(([, value]) => value !== undefined),
      );
      const next = { ...session, document: { ...defaults, ...changed } };
      return saveOver(context, [request, reply], next);
    },
  );
}

/** Sessions and their documents. */
export function sessionRoutes(app: App, context: ServerContext): void {
  listRoute(app, context);
  readRoute(app, context);
  putRoute(app, context);
  patchRoute(app, context);
}
