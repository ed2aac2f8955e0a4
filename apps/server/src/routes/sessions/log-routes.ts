import type { HistoryEntry } from '@ctx/store';
import { sessionLog } from '@ctx/truncation';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { entityTag } from '../../http/entity-tag.ts';
import { notFound } from '../../problems/problem.ts';
import { logEntryOf, logEntrySchema } from '../../schemas/log-entry.ts';
import { maxHttpPage, noQuery, sessionParams, wholeNumber } from '../route-parts.ts';
import { importedMessages, isImported } from './imported-messages.ts';

const placeQuery = z.strictObject({
  from: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0).describe('First place, from 0'),
  limit: wholeNumber(1, maxHttpPage).default(50).describe('Most entries, up to 200'),
});

const nextPlace = z.int().exactOptional().describe('Give it as `from` to read on');

const historyEntry = z.strictObject({
  role: z.string().min(1).max(100),
  content: z.string(),
  timestamp: z.number().min(0).optional().describe('Seconds since the epoch; default: now'),
  token_count: z.int().min(0).optional().describe('Default: counted'),
  tool_calls: z.array(z.record(z.string(), z.unknown())).optional(),
  tool_call_id: z.string().max(1024).optional(),
});

const numberedMessage = z.object({
  index: z.int(),
  message: z.record(z.string(), z.unknown()),
  lane: z.string().exactOptional().describe('Of an imported session: main, or a sub-agent'),
});

/** @throws 404 unless the session has a record or a log. */
async function checkKnown(
  { stores }: ServerContext,
  request: FastifyRequest,
  id: string,
): Promise<void> {
  const store = await storeOf(stores, request);
  for await (const _event of store.events.read(id, { limit: 1 })) return;
  if ((await store.sessions.get(id)) === undefined) throw notFound();
}

function eventsRoute(app: App, context: ServerContext): void {
  app.get(
    '/v1/sessions/:session/events',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['sessions'],
        summary: 'The log of a session, in order',
        params: sessionParams,
        querystring: placeQuery,
        response: { 200: z.object({ events: z.array(logEntrySchema), next: nextPlace }) },
      },
    },
    async (request) => {
      const { session } = request.params;
      const { from, limit } = request.query;
      await checkKnown(context, request, session);
      const store = await storeOf(context.stores, request);
      const events = [];
      for await (const event of store.events.read(session, { from, limit: limit + 1 })) {
        if (events.length === limit) return { events, next: event.sequence };
        events.push(logEntryOf(event));
      }
      return { events };
    },
  );
}

function messagesRoute(app: App, context: ServerContext): void {
  app.get(
    '/v1/sessions/:session/messages',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['sessions'],
        summary: 'The messages of a session as they came, whatever left the view',
        params: sessionParams,
        querystring: placeQuery,
        response: { 200: z.object({ messages: z.array(numberedMessage), next: nextPlace }) },
      },
    },
    async (request) => {
      const { session } = request.params;
      const { from, limit } = request.query;
      await checkKnown(context, request, session);
      const store = await storeOf(context.stores, request);
      if (await isImported(store, session)) {
        const page = await importedMessages(store, session, { from, limit });
        const found = page.messages.map(({ message, ...rest }) => ({
          ...rest,
          message: { ...message },
        }));
        return { ...page, messages: found };
      }
      const read = await sessionLog(store, session).messages({ from, to: from + limit });
      const messages = read.slice(0, limit).map(({ index, message }) => ({
        index,
        message: { ...message },
      }));
      const next = read[limit]?.index;
      return next === undefined ? { messages } : { messages, next };
    },
  );
}

function appendRoute(app: App, { stores }: ServerContext): void {
  app.post(
    '/v1/sessions/:session/messages',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['sessions'],
        summary: "Append to the document's recent history",
        params: sessionParams,
        querystring: noQuery,
        body: z.strictObject({ messages: z.array(historyEntry).min(1).max(1000) }),
        response: { 201: z.object({ entries: z.int(), version: z.int() }) },
      },
    },
    async (request, reply) => {
      const store = await storeOf(stores, request);
      const { session: id } = request.params;
      const entries = request.body.messages.map(({ role, content, timestamp, ...rest }) => {
        const given = Object.entries(rest).filter(([, value]) => value !== undefined);
        const seconds = timestamp ?? Math.floor(store.clock() / 1000);
        const entry: HistoryEntry = { timestamp: seconds, role, content };
        return { ...entry, ...Object.fromEntries(given) };
      });
      const session = await store.sessions.memory(id).append(entries);
      void reply.code(201).header('etag', entityTag(session.version));
      return { entries: session.document.recent_history.length, version: session.version };
    },
  );
}

/** The log of a session, its messages, and what is added to its history. */
export function logRoutes(app: App, context: ServerContext): void {
  eventsRoute(app, context);
  messagesRoute(app, context);
  appendRoute(app, context);
}
