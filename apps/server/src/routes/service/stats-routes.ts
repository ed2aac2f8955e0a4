import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { callerOf, storeOf } from '../../http/caller.ts';
import { endOf, noQuery, pageEnd, pageMembers, pageOf } from '../route-parts.ts';

const statsAnswer = z.object({
  backend: z.string(),
  outputs: z.object({ count: z.int(), bytes: z.int(), tokens: z.int() }),
  live: z.object({ oldest: z.int(), newest: z.int() }),
});

function statsRoute(app: App, { stores, hub }: ServerContext): void {
  app.get(
    '/v1/stats',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['stats'],
        summary: 'What the store of this tenant holds',
        querystring: noQuery,
        response: { 200: statsAnswer },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { outputs: count, bytes, tokens } = await store.outputs.tally();
      const live = await hub.bounds(callerOf(request).tenant);
      return { backend: store.backendName, outputs: { count, bytes, tokens }, live };
    },
  );
}

function agentsRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/agents',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['items'],
        summary: 'Agents that have items, by id',
        querystring: z.strictObject(pageMembers),
        response: { 200: z.object({ agents: z.array(z.string()), ...pageEnd }) },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const page = await store.items.agents(pageOf(request.query));
      return { agents: [...page.entries], ...endOf(page) };
    },
  );
}

/** What there is. */
export function statsRoutes(app: App, context: ServerContext): void {
  statsRoute(app, context);
  agentsRoute(app, context);
}
