import type { ReactNode } from 'react';
import type { Json } from '../../api/json.ts';
import { type Column, Sheet } from '../../parts/lists/table.tsx';
import { countText, moneyText, shareText } from '../../parts/text/format.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';

/** What a session cost. */
export type Cost = Json<'/v1/sessions/{session}/cost'>;
export type ModelCost = Cost['models'][number];

const columns: readonly Column[] = [
  ['Model'],
  ['Cost in US dollars', 'number'],
  ['Input', 'number'],
  ['Output', 'number'],
  ['Requests', 'number'],
  ['Input tokens', 'number'],
  ['From cache', 'number'],
  ['Output tokens', 'number'],
];

const unknownModel = 'model not known';

/** What can be added up. */
const amounts = [
  'requests',
  'inputTokens',
  'cachedTokens',
  'outputTokens',
  'inputDollars',
  'outputDollars',
  'reportedInputs',
  'reportedCaches',
  'reportedOutputs',
] as const;

type Amounts = Pick<ModelCost, (typeof amounts)[number]>;

/** The costs of all models as one. Pure. */
export function sumOfModels(models: readonly ModelCost[]): Amounts {
  const sums = amounts.map((name) => [name, models.reduce((sum, one) => sum + one[name], 0)]);
  // Each amount has its sum.
  return Object.fromEntries(sums) as Amounts;
}

interface RowProps {
  readonly name: string;
  readonly cost: Amounts;
}

function CostRow({ name, cost }: RowProps): ReactNode {
  const { inputDollars, outputDollars, inputTokens, cachedTokens } = cost;
  return (
    <tr>
      <td className="clip">{firstLine(name)}</td>
      <td className="number">{moneyText(inputDollars + outputDollars)}</td>
      <td className="number">{moneyText(inputDollars)}</td>
      <td className="number">{moneyText(outputDollars)}</td>
      <td className="number">{countText(cost.requests)}</td>
      <td className="number">{countText(inputTokens)}</td>
      <td className="number">{shareText(cachedTokens, inputTokens)}</td>
      <td className="number">{countText(cost.outputTokens)}</td>
    </tr>
  );
}

/** How many figures a provider reported. Pure. */
export function originText(reported: number, all: number): string {
  if (reported === all) return 'reported';
  return reported === 0
    ? 'estimated'
    : `reported for ${countText(reported)} of ${countText(all)} requests, estimated for the others`;
}

/** What a model is priced by. Pure. */
export function priceText({ model = unknownModel, ...cost }: ModelCost): string {
  const { dollarsPerMillion, outputDollarsPerMillion, isOfModel, price, pricesDate } = cost;
  const whose = isOfModel ? '' : `as a mid-size model of ${price}, `;
  const dollars = `$${dollarsPerMillion} for input, $${outputDollarsPerMillion} for output`;
  return `${firstLine(model)}: ${dollars} (${whose}list of ${pricesDate})`;
}

interface ModelsProps {
  readonly models: readonly ModelCost[];
}

/** The costs of models, and those of all of them. Keeps the room of one model while there are none. */
export function CostTable({ models }: ModelsProps): ReactNode {
  return (
    <div className="costs">
      <Sheet label="Cost by model" columns={columns}>
        {models.map(({ model = unknownModel, ...cost }) => (
          <CostRow key={model} name={model} cost={cost} />
        ))}
        {models.length > 1 ? <CostRow name="All models" cost={sumOfModels(models)} /> : null}
      </Sheet>
    </div>
  );
}

/** How the costs of models were found. */
export function CostOrigins({ models }: ModelsProps): ReactNode {
  const { requests, reportedInputs, reportedCaches, reportedOutputs } = sumOfModels(models);
  const [input, cached, output] = [reportedInputs, reportedCaches, reportedOutputs].map((count) =>
    originText(count, requests),
  );
  return (
    <p className="muted">
      {`Input: ${input}. From cache: ${cached}. Output: ${output}. Prices per million tokens: ${models.map(priceText).join('; ')}. Uncached input is priced as a cache write.`}
    </p>
  );
}

/** What the requests carried, beside what sending everything would have carried. Pure. */
export function carriedText({ carriedTokens, everythingTokens }: Cost): string {
  return `The requests carried ${countText(carriedTokens)} tokens of messages, ${shareText(carriedTokens, everythingTokens)} of the ${countText(everythingTokens)} that sending everything would have taken (estimated).`;
}
