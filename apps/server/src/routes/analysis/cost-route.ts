import { pricesDate } from '@ctx/truncation';
import { z } from 'zod';
import { planCost } from '../../analysis/plan-cost.ts';
import { readAnalysed, readCarried } from '../../analysis/read-analysed.ts';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { sessionParams } from '../route-parts.ts';
import { modeMember } from '../sessions/import-members.ts';

const count = z.int().min(0);
const amount = z.number().min(0);

const modelCost = z.object({
  model: z.string().exactOptional().describe('Missing where no request tells it'),
  price: z.string().describe('The price list of its class, as `ctx replay --price` names it'),
  dollarsPerMillion: amount.describe('US dollars for a million plain input tokens'),
  requests: count,
  inputTokens: amount,
  cachedTokens: amount,
  outputTokens: amount,
  inputDollars: amount,
  outputDollars: amount,
  reportedInputs: count.describe('Requests whose input the provider reported; others: estimated'),
  reportedOutputs: count,
});

/** What a session cost, by model. */
export function costRoute(app: App, context: ServerContext): void {
  app.get(
    '/v1/sessions/:session/cost',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['window'],
        summary: 'What the requests cost by model, input and output, and what they did not carry',
        params: sessionParams,
        querystring: z.strictObject({ ...modeMember }),
        response: {
          200: z.object({
            models: z.array(modelCost).describe('The dearest first'),
            carriedTokens: amount.describe('Of messages, in all requests together, counted'),
            everythingTokens: amount.describe('The same if nothing had been taken out'),
            pricesDate: z.string(),
          }),
        },
      },
    },
    async (request) => {
      const store = await storeOf(context.stores, request);
      const asked = { session: request.params.session, ...request.query };
      const cost = await context.analyses.cost({ ...asked, store }, async () => {
        const analysed = await readAnalysed(context, store, asked);
        return planCost(analysed, await readCarried(context, store, asked));
      });
      return { ...cost, models: cost.models.map((model) => ({ ...model })), pricesDate };
    },
  );
}
