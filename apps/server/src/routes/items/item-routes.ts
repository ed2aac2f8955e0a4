import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { idInUrl } from '../../client/id-in-url.ts';
import { storeOf } from '../../http/caller.ts';
import { entityTag } from '../../http/entity-tag.ts';
import { textId } from '../../http/id-in-url.ts';
import { itemEntrySchema } from '../../schemas/item-entry.ts';
import { searchMatchSchema, unsearchedSchema } from '../../schemas/search-hit-entry.ts';
import {
  agentParams,
  endOf,
  noQuery,
  pageEnd,
  pageMembers,
  pageOf,
  wholeNumber,
} from '../route-parts.ts';
import { entryOf, versionOf } from './item-entry.ts';

const tier = z.enum(['hot', 'warm', 'cold']);

const saveBody = z.strictObject({
  kind: z.string().min(1).max(64),
  content: z.string().min(1),
  id: textId.exactOptional().describe('The item of this id is replaced'),
  once: z.boolean().exactOptional().describe('Refresh an equal item in place of a second one'),
  importance: z.number().min(0).max(1).exactOptional(),
  pinned: z.boolean().exactOptional(),
  source: z.string().min(1).max(200).exactOptional(),
  sessionId: textId.exactOptional(),
});

function listRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/agents/:agent/items',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['items'],
        summary: 'Items of an agent, most important first. Counts as no access',
        params: agentParams,
        querystring: z.strictObject({
          ...pageMembers,
          tier: tier.exactOptional(),
          kind: z.string().min(1).max(64).exactOptional(),
          archived: z.enum(['true', 'false']).exactOptional(),
        }),
        response: { 200: z.object({ items: z.array(itemEntrySchema), ...pageEnd }) },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { tier: wanted, kind, archived } = request.query;
      const page = await store.items.list(request.params.agent, {
        ...pageOf(request.query),
        ...(wanted === undefined ? {} : { tier: wanted }),
        ...(kind === undefined ? {} : { kind }),
        ...(archived === undefined ? {} : { archived: archived === 'true' }),
      });
      return { items: page.entries.map((item) => entryOf(store, item)), ...endOf(page) };
    },
  );
}

function saveRoute(app: App, { stores, limits }: ServerContext): void {
  app.post(
    '/v1/agents/:agent/items',
    {
      // The largest item, with its quotes and line breaks escaped.
      bodyLimit: limits.largeBodyBytes,
      config: { scope: 'write' },
      schema: {
        tags: ['items'],
        summary: 'Save an item',
        params: agentParams,
        querystring: noQuery,
        body: saveBody,
        response: {
          201: z.object({
            item: itemEntrySchema,
            outcome: z.enum(['created', 'replaced', 'refreshed']),
          }),
        },
      },
    },
    async (request, reply) => {
      const store = await storeOf(stores, request);
      const { agent: agentId } = request.params;
      const { item, outcome } = await store.items.save({ agentId, ...request.body });
      void reply.code(201).header('etag', entityTag(versionOf(item)));
      void reply.header('location', `/v1/agents/${idInUrl(agentId)}/items/${idInUrl(item.id)}`);
      return { item: entryOf(store, item), outcome };
    },
  );
}

function searchRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/agents/:agent/items/search',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['items'],
        summary: 'Items by words and quoted phrases. Counts as no access',
        params: agentParams,
        querystring: z.strictObject({
          q: z.string().min(1).max(1000),
          limit: wholeNumber(1, 200).default(20),
          tier: tier.exactOptional(),
          kind: z.string().min(1).max(64).exactOptional(),
          archived: z
            .enum(['true', 'false'])
            .default('false')
            .describe('Whether those in the archive are searched, or the others'),
        }),
        response: {
          200: z.object({
            hits: z.array(
              z.object({ score: z.number(), match: searchMatchSchema, item: itemEntrySchema }),
            ),
            isComplete: z.boolean(),
            unsearched: unsearchedSchema,
          }),
        },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { q: text, limit, archived, ...filter } = request.query;
      const found = { text, limit, peek: true, ...filter, archived: archived === 'true' };
      const { hits, isComplete } = await store.items.search(request.params.agent, found);
      const entries = hits.map(({ item, ...hit }) => ({ ...hit, item: entryOf(store, item) }));
      return { hits: entries, isComplete, unsearched: store.unsearched() };
    },
  );
}

const tally = { items: z.int(), tokens: z.int() };

function statsRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/agents/:agent/items/stats',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['items'],
        summary: 'Items and tokens by tier',
        params: agentParams,
        querystring: noQuery,
        response: {
          200: z.object({
            ...tally,
            tiers: z.array(z.object({ tier, ...tally })),
            archived: z.object(tally),
          }),
        },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { at: _at, tiers, ...stats } = await store.items.stats(request.params.agent);
      return { ...stats, tiers: [...tiers] };
    },
  );
}

/** Items of agents: lists, saves, searches and counts. */
export function itemRoutes(app: App, context: ServerContext): void {
  listRoute(app, context);
  saveRoute(app, context);
  searchRoute(app, context);
  statsRoute(app, context);
}
