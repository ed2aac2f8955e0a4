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
type Amounts = Pick<
  ModelCost,
  | 'requests'
  | 'inputTokens'
  | 'cachedTokens'
  | 'outputTokens'
  | 'inputDollars'
  | 'outputDollars'
  | 'reportedInputs'
  | 'reportedOutputs'
>;

/** The costs of all models as one. Pure. */
export function sumOfModels(models: readonly ModelCost[]): Amounts {
  const sum = (of: (one: ModelCost) => number): number =>
    models.reduce((all, one) => all + of(one), 0);
  return {
    requests: sum(({ requests }) => requests),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    cachedTokens: sum(({ cachedTokens }) => cachedTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    inputDollars: sum(({ inputDollars }) => inputDollars),
    outputDollars: sum(({ outputDollars }) => outputDollars),
    reportedInputs: sum(({ reportedInputs }) => reportedInputs),
    reportedOutputs: sum(({ reportedOutputs }) => reportedOutputs),
  };
}

interface RowProps {
  readonly name: string;
  readonly cost: Amounts;
}

function CostRow({ name, cost }: RowProps): ReactNode {
  const { inputDollars, outputDollars, inputTokens, cachedTokens } = cost;
  return (
    <tr>
      <td className="name">{firstLine(name)}</td>
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
    : `reported for ${countText(reported)} of ${countText(all)} requests, else estimated`;
}

/** What a model is priced by. Pure. */
export function priceText({ model = unknownModel, ...cost }: ModelCost): string {
  const { dollarsPerMillion, outputDollarsPerMillion, isOfModel, price, pricesDate } = cost;
  const whose = isOfModel ? 'its own' : `that of a mid-size model of the class ${price}`;
  const dollars = `$${dollarsPerMillion} for input and $${outputDollarsPerMillion} for output`;
  return `${firstLine(model)}: ${dollars}, ${whose}, list of ${pricesDate}`;
}

/** The costs of models, and those of all of them; below it how they were found. */
export function CostTable({ models }: { models: readonly ModelCost[] }): ReactNode {
  const all = sumOfModels(models);
  return (
    <>
      <Sheet label="Cost by model" columns={columns}>
        {models.map(({ model = unknownModel, ...cost }) => (
          <CostRow key={model} name={model} cost={cost} />
        ))}
        {models.length === 1 ? null : <CostRow name="All models" cost={all} />}
      </Sheet>
      <p className="muted">
        Input is {originText(all.reportedInputs, all.requests)}, output{' '}
        {originText(all.reportedOutputs, all.requests)}. Prices in US dollars for a million tokens,
        not cached. {models.map(priceText).join('; ')}. What the cache did not hold counts as
        written to it.
      </p>
    </>
  );
}

/** What the requests carried, beside what sending everything would have carried. */
export function CarriedText({ carriedTokens, everythingTokens }: Cost): ReactNode {
  return (
    <>
      The requests carried {shareText(carriedTokens, everythingTokens)} of what sending everything
      would have carried: {countText(carriedTokens)} of {countText(everythingTokens)} tokens of
      messages, counted.
    </>
  );
}
