import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/api-context.ts';
import { ask } from '../../api/ask.ts';
import type { Json } from '../../api/json.ts';
import { useModeQuery } from '../../api/session-mode.ts';
import { sessionPath } from '../../parts/addresses.ts';
import { type Column, Sheet } from '../../parts/lists/table.tsx';
import { countText, moneyText, shareText } from '../../parts/text/format.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';

type Cost = Json<'/v1/sessions/{session}/cost'>;
type ModelCost = Cost['models'][number];

/** Loads once, when the view opens: the server reads the whole session for it. */
function useCost(session: string): UseQueryResult<Cost> {
  const { client } = useApi();
  const mode = useModeQuery();
  const params = { path: { session }, query: mode };
  return useQuery({
    queryKey: ['cost', session, mode.mode],
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    queryFn: () => ask(client.GET('/v1/sessions/{session}/cost', { params })),
  });
}

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

/** The costs of all models as one. Pure. */
export function sumOfModels(models: readonly ModelCost[]): Omit<ModelCost, 'model' | 'price'> {
  const sum = (of: (one: ModelCost) => number): number =>
    models.reduce((all, one) => all + of(one), 0);
  return {
    dollarsPerMillion: 0,
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
  readonly cost: Omit<ModelCost, 'model' | 'price'>;
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

function Reading({ session, cost }: { session: string; cost: Cost }): ReactNode {
  const { models, carriedTokens, everythingTokens, pricesDate } = cost;
  const { reportedInputs, reportedOutputs, requests } = sumOfModels(models);
  const lists = [
    ...new Set(models.map(({ price, dollarsPerMillion }) => `${price}, $${dollarsPerMillion}`)),
  ];
  return (
    <>
      <p className="muted">
        Input is {originText(reportedInputs, requests)}, output{' '}
        {originText(reportedOutputs, requests)}. Prices of {pricesDate} for a mid-size model of the
        class, for a million plain input tokens: {lists.join('; ')}. A larger model costs more. What
        the cache did not hold counts as written to it.
      </p>
      <p>
        The requests carried {shareText(carriedTokens, everythingTokens)} of what sending everything
        would have carried: {countText(carriedTokens)} of {countText(everythingTokens)} tokens of
        messages, counted.{' '}
        <Link href={sessionPath(session, '/what-if')}>What that saves in dollars</Link>
      </p>
    </>
  );
}

/** What the session cost, by model. */
export function CostCard({ session }: { session: string }): ReactNode {
  const { data } = useCost(session);
  if (data === undefined || data.models.length === 0) return null;
  const { models } = data;
  return (
    <section aria-label="Cost">
      <Sheet label="Cost by model" columns={columns}>
        {models.map(({ model = 'model not known', ...cost }) => (
          <CostRow key={model} name={model} cost={cost} />
        ))}
        {models.length === 1 ? null : <CostRow name="All models" cost={sumOfModels(models)} />}
      </Sheet>
      <Reading session={session} cost={data} />
    </section>
  );
}
