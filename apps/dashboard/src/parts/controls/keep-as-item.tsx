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
        the next time it loads its items.
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
  return `Too large to restore as an item: ${countText(bytes)} bytes; the maximum is ${countText(maxItemBytes)}. Its agent can read it in parts at its address.`;
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
        Adds all {countText(text.length)} characters to the pinned items of {firstLine(agent)}. The
        agent sees them the next time it loads its items.
      </p>
    </Confirm>
  );
}
