import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/api-context.ts';
import { ask } from '../../api/ask.ts';
import { useSession } from '../../api/queries.ts';
import { type ItemPlace, useItemActions } from '../../api/use-item-actions.ts';
import { agentPath } from '../addresses.ts';
import { countText } from '../text/format.ts';
import { firstLine } from '../text/plain-text.tsx';
import { Confirm } from './confirm.tsx';

interface RestoredProps extends ItemPlace {
  readonly onDeleted: () => void;
}

function Restored({ onDeleted, ...place }: RestoredProps): ReactNode {
  const { agent, item } = place;
  const { remove } = useItemActions(place);
  return (
    <>
      <span role="status">
        Restored as an <Link href={agentPath(agent, `?item=${item}`)}>item</Link>: its agent sees it
        the next time it loads its items.
      </span>
      <Confirm
        name="Undo"
        question="Delete the restored item?"
        act="Delete"
        onConfirm={async () => {
          await remove();
          onDeleted();
        }}
      >
        <p>The piece stays in the log of the session.</p>
      </Confirm>
    </>
  );
}

/** Longest item, bytes, as its store has it. */
const maxItemBytes = 1_048_576;

/** Why a piece cannot become an item, and what to do instead; `undefined` where it can. Pure. */
export function refusalOf(text: string, agent: string | undefined): string | undefined {
  if (agent === undefined) {
    return 'This session has no agent that keeps items: copy the piece from here, or have an agent read it at its address.';
  }
  const bytes = text.length * 3 <= maxItemBytes ? 0 : new Blob([text]).size;
  if (bytes <= maxItemBytes) return undefined;
  return `Too large to restore as an item: ${countText(bytes)} bytes; at most ${countText(maxItemBytes)}. Its agent can read it at its address.`;
}

/** Saves one piece, whole, among the agent's pinned items, and deletes it again on demand. */
export function KeepAsItem({ session, text }: { session: string; text: string }): ReactNode {
  const { client } = useApi();
  const queries = useQueryClient();
  const [item, setItem] = useState<string>();
  const found = useSession(session).data?.session;
  if (found === undefined || text === '') return null;
  const { agentId: agent } = found;
  const refusal = refusalOf(text, agent);
  if (agent === undefined || refusal !== undefined) return <p className="muted">{refusal}</p>;
  if (item !== undefined) {
    const onDeleted = (): void => {
      setItem(undefined);
    };
    return <Restored agent={agent} item={item} onDeleted={onDeleted} />;
  }
  return (
    <Confirm
      name="Restore as item"
      question="Restore this piece as a pinned item?"
      act="Restore"
      onConfirm={async () => {
        const params = { path: { agent } };
        const body = { kind: 'RESTORED', content: text, pinned: true, sessionId: session };
        const saved = await ask(client.POST('/v1/agents/{agent}/items', { params, body }));
        setItem(saved.item.id);
        await queries.invalidateQueries({ queryKey: ['agent', agent] });
      }}
    >
      <p>
        Adds all {countText(text.length)} characters to the pinned items of {firstLine(agent)}. The
        agent sees them the next time it loads its items.
      </p>
    </Confirm>
  );
}
