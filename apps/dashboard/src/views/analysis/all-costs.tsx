import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type Costs, dollarsOf, useCosts } from '../../api/cost-queries.ts';
import { sessionPath } from '../../parts/addresses.ts';
import { type Column, Sheet } from '../../parts/lists/table.tsx';
import { countedText, countText, moneyText, shareText } from '../../parts/text/format.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';
import { CostOrigins, CostTable, carriedText, sumOfModels } from './cost-table.tsx';

/** Most sessions in the list of the most expensive. */
const mostShown = 10;

const columns: readonly Column[] = [
  ['Most expensive sessions'],
  ['Cost in US dollars', 'number'],
  ['% of all', 'number'],
  ['Requests', 'number'],
];

function Dearest({ costs, all }: { costs: Costs['costs']; all: number }): ReactNode {
  return (
    <Sheet label="Most expensive sessions" columns={columns}>
      {costs.map(({ session: { id, title }, cost: { models } = { models: [] } }) => (
        <tr key={id}>
          <td className="clip">
            <Link href={sessionPath(id, '/timeline')}>{firstLine(title ?? id)}</Link>
          </td>
          <td className="number">{moneyText(dollarsOf(models))}</td>
          <td className="number">{shareText(dollarsOf(models), all)}</td>
          <td className="number">{countText(sumOfModels(models).requests)}</td>
        </tr>
      ))}
    </Sheet>
  );
}

interface SumProps {
  readonly sum: NonNullable<Costs['sum']>;
  readonly costs: Costs['costs'];
  readonly unread: number;
}

function SumOfCosts({ sum, costs, unread }: SumProps): ReactNode {
  const dollars = dollarsOf(sum.models);
  return (
    <section aria-label="Cost of all sessions">
      <h2>Cost of all sessions</h2>
      <p role="status">
        <strong>{moneyText(dollars)}</strong> {unread === 0 ? '' : 'so far '}in{' '}
        {countedText(sum.sessions, 'session')} with requests
        {unread === 0 ? '.' : `; ${countText(unread)} more to read …`}
      </p>
      {sum.sessions === 0 ? null : (
        <>
          <CostTable models={sum.models} />
          <CostOrigins models={sum.models} />
          <p>{carriedText(sum)}</p>
          <Dearest costs={costs} all={dollars} />
        </>
      )}
    </section>
  );
}

/** What all sessions cost, by model, and which of them cost most. */
export function AllCosts(): ReactNode {
  const { data, isPending } = useCosts({ sort: 'cost', limit: mostShown });
  const { sum, costs = [], unread = 0 } = data?.pages[0] ?? {};
  if (isPending) return <p role="status">Adding up costs …</p>;
  if (sum === undefined || (sum.sessions === 0 && unread === 0)) return null;
  const priced = costs.filter(({ cost }) => (cost?.models.length ?? 0) > 0);
  return <SumOfCosts sum={sum} costs={priced} unread={unread} />;
}
