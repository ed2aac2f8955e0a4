import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useAgents, useItemStats } from '../../api/queries.ts';
import { agentPath } from '../../parts/addresses.ts';
import { Bar } from '../../parts/charts/stacked-bar.tsx';
import { Legend } from '../../parts/charts/swatch.tsx';
import { CommandCode, Commands } from '../../parts/controls/commands.tsx';
import { type Column, Sheet } from '../../parts/lists/table.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { countText } from '../../parts/text/format.ts';
import { tierTones } from '../../parts/text/kinds.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';
import { useTitle } from '../../parts/use-title.ts';

function AgentRow({ agent }: { agent: string }): ReactNode {
  const { data } = useItemStats(agent);
  const tiers = data?.tiers ?? [];
  const parts = tiers.map(({ tier, tokens }) => ({ name: tier, tone: tier, value: tokens }));
  const items = (wanted: string): string =>
    countText(tiers.find(({ tier }) => tier === wanted)?.items ?? 0);
  return (
    <tr>
      <td className="clip">
        <Link href={agentPath(agent)} className="row-link" data-row>
          <strong>{firstLine(agent)}</strong>
        </Link>
      </td>
      <td className="bar-cell">
        <Bar label="Tokens by tier: hot, warm, cold" parts={parts} />
      </td>
      <td className="number wide">{items('hot')}</td>
      <td className="number wide">{items('warm')}</td>
      <td className="number wide">{items('cold')}</td>
      <td className="number">{countText(data?.items ?? 0)}</td>
      <td className="number">{countText(data?.tokens ?? 0)}</td>
    </tr>
  );
}

const columns: readonly Column[] = [
  ['Agent'],
  ['Tokens by tier'],
  ['Hot', 'number wide'],
  ['Warm', 'number wide'],
  ['Cold', 'number wide'],
  ['Items', 'number'],
  ['Tokens', 'number'],
];

/** Agents that keep items. */
export function AgentsView(): ReactNode {
  useTitle('Agents');
  const query = useAgents();
  return (
    <>
      <div className="heading">
        <h1>Agents</h1>
      </div>
      <Shown query={query}>
        {({ agents, next }) =>
          agents.length === 0 ? (
            <Empty title="No agent has items yet">
              <p>
                Save one:{' '}
                <CommandCode
                  words={['save', '--agent', 'my-agent', '--kind', 'TASK', 'Port the parser']}
                />
              </p>
            </Empty>
          ) : (
            <>
              <Sheet label="Agents" columns={columns}>
                {agents.map((agent) => (
                  <AgentRow key={agent} agent={agent} />
                ))}
              </Sheet>
              {next === undefined ? null : <p className="muted">The first 200 agents.</p>}
              <Legend tones={tierTones} />
            </>
          )
        }
      </Shown>
      <Commands cli={['stats']} api="/v1/agents" />
    </>
  );
}
