import { z } from 'zod';
import { useSchema } from './use-entry.ts';

const count = z.int().min(0);
const amount = z.number().min(0);

/** What the requests of one model cost. */
const modelCost = z.object({
  model: z.string().exactOptional().describe('Missing where no request tells it'),
  price: z.string().describe('The class of its price, as `ctx replay --price` names it'),
  isOfModel: z
    .boolean()
    .describe(
      'Whether this is the list price of the model; else that of a mid-size one of its class',
    ),
  pricesDate: z.string().describe('When the price was last looked over'),
  dollarsPerMillion: amount.describe('US dollars for a million plain input tokens'),
  outputDollarsPerMillion: amount.describe('US dollars for a million output tokens'),
  requests: count,
  inputTokens: amount,
  cachedTokens: amount,
  outputTokens: amount,
  inputDollars: amount,
  outputDollars: amount,
  reportedInputs: count.describe('Requests whose input the provider reported; others: estimated'),
  reportedCaches: count.describe('Requests of which it reported what its cache held'),
  reportedOutputs: count,
});

/** What the requests of a session cost, and what they did not carry. */
export const costSchema = z.object({
  models: z.array(modelCost).describe('The most expensive first'),
  carriedTokens: amount.describe('Of messages, in all requests together, counted'),
  everythingTokens: amount.describe('The same if nothing had been taken out'),
  savedDollars: z
    .number()
    .exactOptional()
    .describe(
      'By which the input is cheaper than if every request had carried everything, estimated; missing of what an imported agent sent itself',
    ),
  use: useSchema.exactOptional().describe('Of its last request; missing where there is none'),
});
