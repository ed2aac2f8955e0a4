import { pointerUri } from '@ctx/truncation';
import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { idInUrl } from '../../client/id-in-url.ts';
import { storeOf } from '../../http/caller.ts';
import { entityTag, isKnownVersion } from '../../http/entity-tag.ts';
import { textId, urlId } from '../../http/id-in-url.ts';
import { notFound } from '../../problems/problem.ts';
import { pointerEntryOf, pointerEntrySchema } from '../../schemas/pointer-entry.ts';
import {
  partlySearchedSchema,
  searchHitEntryOf,
  searchHitEntrySchema,
  unsearchedSchema,
} from '../../schemas/search-hit-entry.ts';
import { beginSession, sessionStarter } from '../../sessions/begin-session.ts';
import { endOf, noQuery, pageEnd, pageMembers, pageOf, wholeNumber } from '../route-parts.ts';
import { partAnswer, partOfOutput, partQuery } from './output-part.ts';

const outputParams = z.strictObject({ output: urlId });

const saveBody = z.strictObject({
  sessionId: textId,
  toolName: z.string().min(1).max(200),
  args: z.unknown().optional(),
  result: z.unknown(),
  queryId: textId.exactOptional(),
  taskId: textId.exactOptional(),
  callId: textId.exactOptional().describe("The provider's id of the call"),
});

const saveAnswer = z.object({
  output: pointerEntrySchema,
  sameAs: z.string().exactOptional().describe('The output of the session that held it already'),
  redacted: z.int().describe('Secrets that were taken out'),
});

/** A result never changes: its tag is what it says. */
const tagOf = ({ fingerprint }: { readonly fingerprint: string }): string =>
  fingerprint.slice(0, 32);

function saveRoute(app: App, { stores, limits }: ServerContext): void {
  const listSession = sessionStarter();
  app.post(
    '/v1/outputs',
    {
      config: { scope: 'write', isLarge: true },
      bodyLimit: limits.largeBodyBytes,
      schema: {
        tags: ['outputs'],
        summary: 'Keep what a tool returned',
        querystring: noQuery,
        body: saveBody,
        response: { 201: saveAnswer },
      },
    },
    async (request, reply) => {
      const store = await storeOf(stores, request);
      const { args = {}, ...rest } = request.body;
      const { pointer, sameAs, redaction } = await store.outputs.save({ args, ...rest });
      // What a held request does counts only once all of it is written.
      if (request.held === null) await listSession(store, rest.sessionId);
      else await beginSession(store, rest.sessionId);
      void reply.code(201).header('location', `/v1/outputs/${idInUrl(pointer.id)}`);
      void reply.header('etag', entityTag(tagOf(pointer)));
      const output = pointerEntryOf(pointer, pointerUri(pointer.id));
      return { output, ...(sameAs === undefined ? {} : { sameAs }), redacted: redaction.total };
    },
  );
}

function listRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/outputs',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['outputs'],
        summary: 'Outputs of a session, oldest first',
        querystring: z.strictObject({
          ...pageMembers,
          session: textId,
          query: textId.exactOptional(),
          task: textId.exactOptional(),
        }),
        response: { 200: z.object({ outputs: z.array(pointerEntrySchema), ...pageEnd }) },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { session: sessionId, query, task } = request.query;
      const page = await store.outputs.pointers({
        sessionId,
        ...(query === undefined ? {} : { queryId: query }),
        ...(task === undefined ? {} : { taskId: task }),
        ...pageOf(request.query),
      });
      const outputs = page.entries.map((one) => pointerEntryOf(one, pointerUri(one.id)));
      return { outputs, ...endOf(page) };
    },
  );
}

function searchRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/outputs/search',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['outputs'],
        summary: 'Outputs by words and quoted phrases of their arguments and results',
        querystring: z.strictObject({
          q: z.string().min(1).max(1000),
          session: textId.exactOptional(),
          limit: wholeNumber(1, 200).default(20),
        }),
        response: {
          200: z.object({
            hits: z.array(searchHitEntrySchema),
            isComplete: z.boolean(),
            unsearched: unsearchedSchema,
            partlySearched: partlySearchedSchema,
          }),
        },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { q: text, session, limit } = request.query;
      const scope = session === undefined ? {} : { sessionId: session };
      const found = await store.outputs.search({ text, limit, lines: true, ...scope });
      const hits = found.hits.map((hit) => searchHitEntryOf(hit, pointerUri(hit.pointer.id)));
      const { isComplete, partlySearched } = found;
      return { hits, isComplete, unsearched: store.unsearched(), partlySearched };
    },
  );
}

function getRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/outputs/:output',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['outputs'],
        summary: 'One output, whole',
        params: outputParams,
        querystring: noQuery,
        response: {
          200: z.object({ output: pointerEntrySchema, args: z.unknown(), result: z.unknown() }),
        },
      },
    },
    async (request, reply) => {
      const store = await storeOf(stores, request);
      const id = request.params.output;
      const pointer = await store.outputs.pointer({ id });
      if (pointer === undefined) throw notFound();
      if (isKnownVersion(request, reply, tagOf(pointer))) return reply;
      const whole = await store.outputs.load({ id });
      if (whole === undefined) throw notFound();
      const output = pointerEntryOf(pointer, pointerUri(id));
      return { output, args: whole.args, result: whole.result };
    },
  );
}

function partRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/outputs/:output/text',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['outputs'],
        summary: 'A part of an output as text: by lines, by pattern, by path',
        params: outputParams,
        querystring: partQuery,
        response: { 200: partAnswer },
      },
    },
    async (request, reply) => {
      const store = await storeOf(stores, request);
      const output = await store.outputs.load({ id: request.params.output });
      if (output === undefined) throw notFound();
      if (isKnownVersion(request, reply, tagOf(output))) return reply;
      return partOfOutput(output, request.query);
    },
  );
}

/** What tools returned. */
export function outputRoutes(app: App, context: ServerContext): void {
  saveRoute(app, context);
  listRoute(app, context);
  searchRoute(app, context);
  getRoute(app, context);
  partRoute(app, context);
}
