import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type SessionCost, useCosts } from '../../api/cost-queries.ts';
import { sessionPath } from '../../parts/addresses.ts';
import { type Column, Sheet } from '../../parts/lists/table.tsx';
import { countText, moneyText, shareText } from '../../parts/text/format.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';
import { CarriedText, type Cost, CostTable, type ModelCost, sumOfModels } from './cost-table.tsx';

/** Adds up the costs of the same model. Pure. */
export function sumOfCosts(costs: readonly Cost[]): Cost {
  const models = new Map<string, ModelCost[]>();
  for (const one of costs.flatMap((cost) => cost.models)) {
    const key = JSON.stringify([one.model, one.price]);
    models.set(key, [...(models.get(key) ?? []), one]);
  }
  const sums = [...models.values()].flatMap((same): ModelCost[] => {
    const [first] = same;
    return first === undefined ? [] : [{ ...first, ...sumOfModels(same) }];
  });
  return {
    models: sums.sort((a, b) => dollarsOf(b) - dollarsOf(a)),
    carriedTokens: costs.reduce((sum, { carriedTokens }) => sum + carriedTokens, 0),
    everythingTokens: costs.reduce((sum, { everythingTokens }) => sum + everythingTokens, 0),
  };
}

function dollarsOf(cost: Pick<ModelCost, 'inputDollars' | 'outputDollars'>): number {
  return cost.inputDollars + cost.outputDollars;
}

/** Most sessions in the list of the most expensive. */
const mostShown = 10;

const columns: readonly Column[] = [
  ['Most expensive sessions'],
  ['Cost in US dollars', 'number'],
  ['Of all', 'number'],
  ['Requests', 'number'],
];

function Dearest({ costs, all }: { costs: readonly SessionCost[]; all: number }): ReactNode {
  const rows = costs
    .map(({ session, cost }) => ({ session, sum: sumOfModels(cost?.models ?? []) }))
    .sort((a, b) => dollarsOf(b.sum) - dollarsOf(a.sum));
  return (
    <Sheet label="Most expensive sessions" columns={columns}>
      {rows.slice(0, mostShown).map(({ session: { id, title }, sum }) => (
        <tr key={id}>
          <td className="clip">
            <Link href={sessionPath(id, '/timeline')}>{firstLine(title ?? id)}</Link>
          </td>
          <td className="number">{moneyText(dollarsOf(sum))}</td>
          <td className="number">{shareText(dollarsOf(sum), all)}</td>
          <td className="number">{countText(sum.requests)}</td>
        </tr>
      ))}
    </Sheet>
  );
}

/** What all sessions cost, by model, and which of them cost most. */
export function AllCosts(): ReactNode {
  const { costs, isAll } = useCosts();
  const known = costs.filter(({ cost }) => cost !== undefined && cost.models.length > 0);
  const all = sumOfCosts(known.flatMap(({ cost }) => cost ?? []));
  const dollars = dollarsOf(sumOfModels(all.models));
  if (isAll && known.length === 0) return null;
  return (
    <section aria-label="Cost of all sessions">
      <h2>Cost of all sessions</h2>
      <p role="status">
        <strong>{moneyText(dollars)}</strong> in{' '}
        {known.length === 1 ? 'one session' : `${countText(known.length)} sessions`} with requests
        {isAll ? '.' : '; reading the others …'}
      </p>
      {known.length === 0 ? null : (
        <>
          <CostTable models={all.models} />
          <p>
            <CarriedText {...all} />
          </p>
          <Dearest costs={known} all={dollars} />
        </>
      )}
    </section>
  );
}
