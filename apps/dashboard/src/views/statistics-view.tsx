import type { ReactNode } from 'react';
import { useAgents, useSessions, useStats } from '../api/queries.ts';
import { Commands } from '../parts/commands.tsx';
import { bytesText, countText } from '../parts/format.ts';
import { Shown } from '../parts/states.tsx';

/** What the store of this tenant holds. */
export function StatisticsView(): ReactNode {
  const query = useStats();
  const sessions = useSessions().data;
  const agents = useAgents().data;
  const count = (list: readonly unknown[] | undefined, next?: string): string =>
    list === undefined ? '…' : `${countText(list.length)}${next === undefined ? '' : ' or more'}`;
  return (
    <>
      <h1>Statistics</h1>
      <Shown query={query}>
        {({ backend, outputs, live }) => {
          const rows = [
            ['Store', backend],
            ['Sessions', count(sessions?.sessions, sessions?.next)],
            ['Agents with items', count(agents?.agents, agents?.next)],
            ['Tool outputs', countText(outputs.count)],
            ['Their tokens', countText(outputs.tokens)],
            ['Their size', bytesText(outputs.bytes)],
            ['Tokens of a usual output', countText(outputs.tokens / Math.max(1, outputs.count))],
            ['Live events kept', countText(Math.max(0, live.newest - live.oldest + 1))],
            ['Newest live event', countText(live.newest)],
          ] as const;
          return (
            <section className="card narrow">
              <table>
                <thead>
                  <tr>
                    <th>What</th>
                    <th className="number">how much</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map(([name, value]) => (
                    <tr key={name}>
                      <td>{name}</td>
                      <td className="number">{value}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          );
        }}
      </Shown>
      <Commands cli={['stats']} api="/v1/stats" />
    </>
  );
}
