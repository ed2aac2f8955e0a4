import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/api-context.ts';
import { ask, done } from '../../api/ask.ts';
import { useSession } from '../../api/queries.ts';
import { agentPath } from '../addresses.ts';
import { countText } from '../text/format.ts';
import { firstLine } from '../text/plain-text.tsx';
import { Confirm } from './confirm.tsx';

interface RestoredProps {
  readonly agent: string;
  readonly item: string;
  readonly onDeleted: () => Promise<void>;
}

function Restored({ agent, item, onDeleted }: RestoredProps): ReactNode {
  const { client } = useApi();
  const path = { agent, item };
  return (
    <>
      <span role="status">
        Restored as an <Link href={agentPath(agent, `?item=${item}`)}>item</Link>: its agent sees it
        when it next loads its items.
      </span>
      <Confirm
        name="Undo"
        question="Delete the restored item?"
        act="Delete"
        onConfirm={async () => {
          const read = client.GET('/v1/agents/{agent}/items/{item}', { params: { path } });
          const headers = { 'If-Match': (await done(read)).headers.get('etag') ?? '' };
          const params = { path };
          await done(client.DELETE('/v1/agents/{agent}/items/{item}', { params, headers }));
          await onDeleted();
        }}
      >
        <p>The item goes; the piece stays where it was, in the log of the session.</p>
      </Confirm>
    </>
  );
}

/** Saves one piece, whole, among the agent's pinned items, and deletes it again on demand. */
export function KeepAsItem({ session, text }: { session: string; text: string }): ReactNode {
  const { client } = useApi();
  const queries = useQueryClient();
  const [item, setItem] = useState<string>();
  const agent = useSession(session).data?.session.agentId;
  if (agent === undefined || text === '') return null;
  const change = (to: string | undefined): Promise<void> => {
    setItem(to);
    return queries.invalidateQueries({ queryKey: ['agent', agent] });
  };
  if (item !== undefined) {
    return <Restored agent={agent} item={item} onDeleted={() => change(undefined)} />;
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
        await change(saved.item.id);
      }}
    >
      <p>
        All {countText(text.length)} characters join the pinned items of {firstLine(agent)}. The
        agent sees them when it next loads its items; requests of this session stay as they are.
      </p>
    </Confirm>
  );
}
