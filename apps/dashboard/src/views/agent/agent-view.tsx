import type { ReactNode } from 'react';
import { useItemStats } from '../../api/queries.ts';
import { agentPath, useAddressState } from '../../parts/addresses.ts';
import { Pie } from '../../parts/charts/pie.tsx';
import { Tabs } from '../../parts/controls/tabs.tsx';
import { firstLine } from '../../parts/text/plain-text.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { CheckpointsView } from '../session/checkpoints-view.tsx';
import { ContextItemList, rowId } from './context-item-list.tsx';
import { FactsView } from './facts-view.tsx';
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
    <section className="card">
      <Pie
        label="Items by tier"
        parts={parts}
        chosen={tier === '' ? undefined : tier}
        onChoose={setTier}
      >
        <p className="muted pie-note">
          Hot items are in the context. Warm items are one lookup away. The next flash save archives
          cold items; archived items can be brought back. Choose a tier to filter the list.
        </p>
      </Pie>
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
            document.getElementById(rowId(item))?.focus();
            setItem(undefined);
          }}
        />
      )}
    </div>
  );
}

/** Whether an address below an agent names one of its views. Pure. */
export function isAgentTab(tab: string): boolean {
  return ['', 'facts', 'checkpoints'].includes(tab);
}

/** One agent: its items, what it knows, and its checkpoints. */
export function AgentView({ agent, tab }: { agent: string; tab: string }): ReactNode {
  useTitle(tab === '' ? 'Items' : tab === 'facts' ? 'Facts' : 'Checkpoints', firstLine(agent));
  return (
    <>
      <div className="heading">
        <h1>
          <span className="muted">Agent </span>
          {firstLine(agent)}
        </h1>
      </div>
      <Tabs
        label="Views of the agent"
        tabs={[
          [agentPath(agent), 'Items', tab === ''],
          [agentPath(agent, '/facts'), 'Facts', tab === 'facts'],
          [agentPath(agent, '/checkpoints'), 'Checkpoints', tab === 'checkpoints'],
        ]}
      />
      {tab === 'facts' ? <FactsView agent={agent} /> : null}
      {tab === 'checkpoints' ? <CheckpointsView agent={agent} /> : null}
      {tab === 'facts' || tab === 'checkpoints' ? null : <Items agent={agent} />}
    </>
  );
}
