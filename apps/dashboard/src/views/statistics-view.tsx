import type { ReactNode } from 'react';
import { type Stats, useAgents, useSessions, useStats } from '../api/queries.ts';
import { Figure } from '../parts/charts/figure.tsx';
import { Commands } from '../parts/controls/commands.tsx';
import { Table } from '../parts/lists/table.tsx';
import { Shown } from '../parts/states.tsx';
import { bytesText, countText } from '../parts/text/format.ts';
import { useTitle } from '../parts/use-title.ts';
import { AllCosts } from './analysis/all-costs.tsx';

/** A list that is read in part has at least as many. */
function atLeast(list: readonly unknown[] | undefined, next: string | undefined): string {
  if (list === undefined) return '…';
  return `${countText(list.length)}${next === undefined ? '' : '+'}`;
}

function Figures({ stats }: { stats: Stats }): ReactNode {
  const sessions = useSessions().data;
  const agents = useAgents().data;
  const { count, tokens } = stats.outputs;
  const figures = [
    ['Sessions', atLeast(sessions?.pages[0]?.sessions, sessions?.pages[0]?.next), 'in this store'],
    ['Agents', atLeast(agents?.agents, agents?.next), 'with items'],
    ['Tool outputs', countText(count), 'stored in full'],
    ['Tokens stored', countText(tokens), 'in outputs'],
  ] as const;
  return (
    <div className="figures">
      {figures.map(([name, value, note]) => (
        <Figure key={name} name={name} value={value} note={note} />
      ))}
    </div>
  );
}

function Details({ stats: { backend, outputs, live } }: { stats: Stats }): ReactNode {
  const rows = [
    ['Store', backend],
    ['Average tokens per output', countText(outputs.tokens / Math.max(1, outputs.count))],
    ['Total size of outputs', bytesText(outputs.bytes)],
    ['Live events kept', countText(live.newest === 0 ? 0 : live.newest - live.oldest + 1)],
    ['Newest live event', countText(live.newest)],
  ] as const;
  return (
    <section className="card narrow">
      <Table columns={[['Property'], ['Value', 'number']]}>
        {rows.map(([name, value]) => (
          <tr key={name}>
            <td>{name}</td>
            <td className="number">{value}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

/** What the store of this tenant holds. */
export function StatisticsView(): ReactNode {
  const query = useStats();
  useTitle('Statistics');
  return (
    <>
      <div className="heading">
        <h1>Statistics</h1>
      </div>
      <Shown query={query}>
        {(stats) => (
          <>
            <Figures stats={stats} />
            <Details stats={stats} />
            <AllCosts />
          </>
        )}
      </Shown>
      <Commands cli={['stats']} api="/v1/stats" />
    </>
  );
}
