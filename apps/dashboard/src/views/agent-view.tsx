import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useItemStats } from '../api/queries.ts';
import { agentPath, useAddressState } from '../parts/addresses.ts';
import { firstLine } from '../parts/plain-text.tsx';
import { Pie } from '../parts/pie.tsx';
import { CheckpointsView } from './checkpoints-view.tsx';
import { ContextItemList } from './context-item-list.tsx';
import { ItemDetail } from './item-detail.tsx';

/** How the items of an agent are spread over tiers; a click filters the list. */
export function ContextTierChart({ agent }: { agent: string }): ReactNode {
  const { data } = useItemStats(agent);
  const [tier, setTier] = useAddressState('tier');
  const tiers = data?.tiers ?? [];
  const archived = data?.archived ?? { items: 0, tokens: 0 };
  const parts = [
    ...tiers.map((one) => ({
      name: one.tier,
      tone: one.tier,
      value: one.tokens,
      items: one.items,
    })),
    { name: 'archived', tone: 'archived', value: archived.tokens, items: archived.items },
  ];
  return (
    <section className="card tier-card">
      <Pie
        label="Items by tier"
        parts={parts}
        chosen={tier === '' ? undefined : tier}
        onChoose={setTier}
      />
    </section>
  );
}

function Items({ agent }: { agent: string }): ReactNode {
  const [item, setItem] = useAddressState('item');
  return (
    <div className={item === '' ? 'agent-items' : 'agent-items has-detail'}>
      <div className="agent-list">
        <ContextTierChart agent={agent} />
        <ContextItemList agent={agent} chosen={item} onChoose={setItem} />
      </div>
      {item === '' ? null : (
        <ItemDetail
          key={item}
          agent={agent}
          item={item}
          onClose={() => {
            setItem(undefined);
          }}
        />
      )}
    </div>
  );
}

/** One agent: its items, and the checkpoints of them. */
export function AgentView({ agent, tab }: { agent: string; tab: string }): ReactNode {
  return (
    <>
      <h1>
        <span className="muted">Agent </span>
        {firstLine(agent)}
      </h1>
      <nav className="tabs" aria-label="Views of the agent">
        <Link href={agentPath(agent)} aria-current={tab === '' ? 'page' : undefined}>
          Items
        </Link>
        <Link
          href={agentPath(agent, '/checkpoints')}
          aria-current={tab === 'checkpoints' ? 'page' : undefined}
        >
          Checkpoints
        </Link>
      </nav>
      {tab === 'checkpoints' ? <CheckpointsView agent={agent} /> : <Items agent={agent} />}
    </>
  );
}
