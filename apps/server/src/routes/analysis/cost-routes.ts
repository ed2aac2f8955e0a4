import { z } from 'zod';
import type { SessionCost } from '../../analysis/plan-cost.ts';
import { readCost, readCosts } from '../../analysis/read-costs.ts';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { costSchema } from '../../schemas/cost-entry.ts';
import { sessionEntryOf, sessionEntrySchema } from '../../schemas/session-entry.ts';
import { endOf, pageEnd, pageMembers, pageOf, sessionParams } from '../route-parts.ts';
import { modeMember } from '../sessions/import-members.ts';

function answerOf(cost: SessionCost): z.infer<typeof costSchema> {
  return { ...cost, models: cost.models.map((model) => ({ ...model })) };
}

function oneRoute(app: App, context: ServerContext): void {
  app.get(
    '/v1/sessions/:session/cost',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['window'],
        summary: 'What the requests cost by model, input and output, and what they did not carry',
        params: sessionParams,
        querystring: z.strictObject({ ...modeMember }),
        response: { 200: costSchema },
      },
    },
    async (request) => {
      const store = await storeOf(context.stores, request);
      const asked = { session: request.params.session, ...request.query };
      return answerOf(await readCost(context, store, asked));
    },
  );
}

const sessionCost = z.object({
  session: sessionEntrySchema,
  cost: costSchema
    .exactOptional()
    .describe('As its own agent sent it; missing where the session is damaged'),
});

function allRoute(app: App, context: ServerContext): void {
  app.get(
    '/v1/costs',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['window'],
        summary:
          'What sessions cost, newest activity first; a page may be short and have a next one',
        querystring: z.strictObject({ ...pageMembers }),
        response: { 200: z.object({ costs: z.array(sessionCost), ...pageEnd }) },
      },
    },
    async (request) => {
      const store = await storeOf(context.stores, request);
      const page = await readCosts(context, store, pageOf(request.query));
      const costs = page.entries.map(({ session, cost }) => ({
        session: sessionEntryOf(session),
        ...(cost === undefined ? {} : { cost: answerOf(cost) }),
      }));
      return { costs, ...endOf({ ...page, entries: [] }) };
    },
  );
}

/** What a session cost, and what all of them did, by model. */
export function costRoutes(app: App, context: ServerContext): void {
  oneRoute(app, context);
  allRoute(app, context);
}
