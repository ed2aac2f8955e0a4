import type { Tier } from '@ctx/core';
import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { urlId } from '../../http/id-in-url.ts';
import { endOf, noQuery, pageEnd, pageMembers, pageOf } from '../route-parts.ts';

const params = z.strictObject({ agent_id: urlId });
const seedTier = z.enum(['HOT', 'WARM', 'COLD']);

const tierOfSeed: Readonly<Record<z.infer<typeof seedTier>, Tier>> = {
  HOT: 'hot',
  WARM: 'warm',
  COLD: 'cold',
};

const seedTierOf: Readonly<Record<Tier, z.infer<typeof seedTier>>> = {
  hot: 'HOT',
  warm: 'WARM',
  cold: 'COLD',
};

const saveBody = z.strictObject({
  item_type: z.string().min(1).max(64).describe('TASK, CODE, ERROR, TEST_RESULT, PRD_SECTION, …'),
  content: z.string().min(1),
  importance_score: z.number().min(0).max(1).exactOptional().describe('How important it is now'),
});

const itemEntry = z.object({
  id: z.string(),
  type: z.string(),
  content: z.string(),
  score: z.number(),
  tier: seedTier,
});

const statsAnswer = z.object({
  total_items: z.int(),
  hot_count: z.int(),
  warm_count: z.int(),
  cold_count: z.int(),
  total_tokens: z.int(),
  hot_tokens: z.int(),
  warm_tokens: z.int(),
  cold_tokens: z.int(),
});

function saveRoute(app: App, { stores }: ServerContext): void {
  app.post(
    '/api/agents/:agent_id/context/save',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['context'],
        summary: 'Save an item of an agent',
        params,
        querystring: noQuery,
        body: saveBody,
        response: { 200: z.object({ item_id: z.string(), tier: seedTier }) },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { item_type: kind, content, importance_score: importance } = request.body;
      const { item, tier } = await store.items.save({
        agentId: request.params.agent_id,
        kind,
        content,
        ...(importance === undefined ? {} : { importance }),
      });
      return { item_id: item.id, tier: seedTierOf[tier] };
    },
  );
}

function listRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/api/agents/:agent_id/context',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['context'],
        summary: 'Items of one tier, most important first',
        params,
        querystring: z.strictObject({ ...pageMembers, tier: seedTier.default('HOT') }),
        response: { 200: z.object({ items: z.array(itemEntry), ...pageEnd }) },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const tier = tierOfSeed[request.query.tier];
      const page = await store.items.briefs(request.params.agent_id, tier, pageOf(request.query));
      const items = page.entries.map(({ id, kind: type, content, importance: score }) => ({
        id,
        type,
        content,
        score,
        tier: request.query.tier,
      }));
      return { items, ...endOf(page) };
    },
  );
}

function statsRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/api/agents/:agent_id/context/stats',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['context'],
        summary: 'Items and tokens of an agent by tier',
        params,
        querystring: noQuery,
        response: { 200: statsAnswer },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { items, tokens, tiers } = await store.items.stats(request.params.agent_id);
      const of = (tier: Tier) => tiers.find((one) => one.tier === tier) ?? { items: 0, tokens: 0 };
      return {
        total_items: items,
        hot_count: of('hot').items,
        warm_count: of('warm').items,
        cold_count: of('cold').items,
        total_tokens: tokens,
        hot_tokens: of('hot').tokens,
        warm_tokens: of('warm').tokens,
        cold_tokens: of('cold').tokens,
      };
    },
  );
}

/** The routes of seed 004, exactly as they are written there. */
export function seedRoutes(app: App, context: ServerContext): void {
  saveRoute(app, context);
  listRoute(app, context);
  statsRoute(app, context);
}
