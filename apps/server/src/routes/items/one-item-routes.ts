import type { ContextItem, ItemSummary } from '@ctx/core';
import type { ContextStore, ItemAction } from '@ctx/store';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { checkMatch, entityTag, isKnownVersion } from '../../http/entity-tag.ts';
import { urlId } from '../../http/id-in-url.ts';
import { notFound } from '../../problems/problem.ts';
import { itemEntrySchema } from '../../schemas/item-entry.ts';
import { noQuery } from '../route-parts.ts';
import { entryOf, versionOf } from './item-entry.ts';

const itemParams = z.strictObject({ agent: urlId, item: urlId });
const tier = z.enum(['hot', 'warm', 'cold']);

const itemPatch = z
  .strictObject({
    pinned: z.boolean(),
    archived: z.boolean(),
    isFinished: z.boolean(),
  })
  .partial();

async function itemOf(store: ContextStore, agent: string, id: string): Promise<ContextItem> {
  const item = await store.items.get(agent, id, { peek: true });
  if (item === undefined) throw notFound();
  return item;
}

const explained = z.object({
  weight: z.number(),
  boost: z.number(),
  decay: z.number(),
  ageMs: z.number(),
  rank: z.number(),
  cap: z.number().exactOptional(),
  next: z.object({ tier, at: z.string() }).exactOptional(),
});

const itemAnswer = z.object({ item: itemEntrySchema, why: explained });

function whyOf({ items }: ContextStore, item: ItemSummary): z.infer<typeof explained> {
  const { weight, boost, decay, ageMs, rank, cap, next } = items.explain(item);
  return {
    weight,
    boost,
    decay,
    ageMs,
    rank,
    ...(cap === undefined ? {} : { cap }),
    ...(next === undefined
      ? {}
      : { next: { tier: next.tier, at: new Date(Math.min(next.at, 8.64e15)).toISOString() } }),
  };
}

function getRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/agents/:agent/items/:item',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['items'],
        summary: 'One item, and why it matters as much as it does. Counts as no access',
        params: itemParams,
        querystring: noQuery,
        response: { 200: itemAnswer },
      },
    },
    async (request, reply) => {
      const store = await storeOf(stores, request);
      const item = await itemOf(store, request.params.agent, request.params.item);
      if (isKnownVersion(request, reply, versionOf(item))) return reply;
      return { item: entryOf(store, item), why: whyOf(store, item) };
    },
  );
}

/** What a patch asks for, in the order in which it is done. */
function actionsOf({ pinned, archived, isFinished }: z.infer<typeof itemPatch>): ItemAction[] {
  const actions: ItemAction[] = [];
  if (pinned !== undefined) actions.push(pinned ? 'pin' : 'unpin');
  if (isFinished !== undefined) actions.push(isFinished ? 'finish' : 'reopen');
  if (archived !== undefined) actions.push(archived ? 'archive' : 'unarchive');
  return actions;
}

/**
 * Lets a change through where the item is, when it is written, the one that If-Match names.
 * @throws 428, 412.
 */
function ifMatch(request: FastifyRequest): { readonly check: (item: ItemSummary) => void } {
  return {
    check: (item) => {
      checkMatch(request, versionOf(item));
    },
  };
}

function patchRoute(app: App, { stores }: ServerContext): void {
  app.patch(
    '/v1/agents/:agent/items/:item',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['items'],
        summary: 'Pin, archive or finish an item, or take that back (If-Match)',
        params: itemParams,
        querystring: noQuery,
        body: itemPatch,
        response: { 200: z.object({ item: itemEntrySchema }) },
      },
    },
    async (request, reply) => {
      const store = await storeOf(stores, request);
      const { agent, item: id } = request.params;
      const actions = actionsOf(request.body);
      const { item } = await store.items.change(agent, id, { actions, ...ifMatch(request) });
      void reply.header('etag', entityTag(versionOf(item)));
      return { item: entryOf(store, item) };
    },
  );
}

function touchRoute(app: App, { stores }: ServerContext): void {
  app.post(
    '/v1/agents/:agent/items/:item/touch',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['items'],
        summary: 'Count an access',
        params: itemParams,
        querystring: noQuery,
        response: { 200: z.object({ item: itemEntrySchema, tierBefore: tier }) },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { item, tierBefore } = await store.items.touch(
        request.params.agent,
        request.params.item,
      );
      return { item: entryOf(store, item), tierBefore };
    },
  );
}

function deleteRoute(app: App, { stores }: ServerContext): void {
  app.delete(
    '/v1/agents/:agent/items/:item',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['items'],
        summary: 'Destroy an item, also what checkpoints keep of it (If-Match)',
        params: itemParams,
        querystring: noQuery,
        response: { 204: z.undefined().describe('It is gone') },
      },
    },
    async (request, reply) => {
      const store = await storeOf(stores, request);
      const { agent, item: id } = request.params;
      if (!(await store.items.delete(agent, id, ifMatch(request)))) throw notFound();
      // Destroyed is destroyed: no checkpoint brings it back.
      await store.checkpoints.purge(agent, id);
      return reply.code(204).send();
    },
  );
}

/** One item of an agent. */
export function oneItemRoutes(app: App, context: ServerContext): void {
  getRoute(app, context);
  patchRoute(app, context);
  touchRoute(app, context);
  deleteRoute(app, context);
}
