import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useAgents, useItemStats } from '../api/queries.ts';
import { agentPath } from '../parts/addresses.ts';
import { Commands } from '../parts/commands.tsx';
import { countText, shortText } from '../parts/format.ts';
import { firstLine } from '../parts/plain-text.tsx';
import { Bar } from '../parts/stacked-bar.tsx';
import { Empty, Shown } from '../parts/states.tsx';

function AgentRow({ agent }: { agent: string }): ReactNode {
  const { data } = useItemStats(agent);
  const tiers = data?.tiers ?? [];
  const parts = tiers.map(({ tier, tokens }) => ({ name: tier, tone: tier, value: tokens }));
  return (
    <li>
      <Link href={agentPath(agent)} className="row session-row" data-row>
        <strong className="row-title">{firstLine(agent)}</strong>
        <span className="fill-cell">
          <Bar label="Tokens by tier: hot, warm, cold" parts={parts} />
          <span className="number">{shortText(data?.tokens ?? 0)} tokens</span>
        </span>
        <span className="muted number">{countText(data?.items ?? 0)} items</span>
      </Link>
    </li>
  );
}

/** Agents that keep items. */
export function AgentsView(): ReactNode {
  const query = useAgents();
  return (
    <>
      <h1>Agents</h1>
      <Shown query={query}>
        {({ agents }) =>
          agents.length === 0 ? (
            <Empty title="No agent keeps items yet">
              <p>
                Save one: <code>ctx save my-agent TASK "Port the parser"</code>
              </p>
            </Empty>
          ) : (
            <ul className="rows">
              {agents.map((agent) => (
                <AgentRow key={agent} agent={agent} />
              ))}
            </ul>
          )
        }
      </Shown>
      <Commands cli={['stats']} api="/v1/agents" />
    </>
  );
}
