import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../../api/api-context.ts';
import { done } from '../../api/ask.ts';
import { useSession } from '../../api/queries.ts';
import { firstLine } from '../text/plain-text.tsx';
import { Confirm } from './confirm.tsx';

/** Puts one piece among the agent's pinned items, from where it comes into view again. */
export function KeepAsItem({ session, text }: { session: string; text: string }): ReactNode {
  const { client } = useApi();
  const queries = useQueryClient();
  const agent = useSession(session).data?.session.agentId;
  if (agent === undefined || text === '') return null;
  return (
    <Confirm
      name="Restore as item"
      question="Restore this piece as a pinned item?"
      act="Restore"
      onConfirm={async () => {
        const params = { path: { agent } };
        const body = { kind: 'RESTORED', content: text, pinned: true, sessionId: session };
        await done(client.POST('/v1/agents/{agent}/items', { params, body }));
        await queries.invalidateQueries({ queryKey: ['agent', agent] });
      }}
    >
      <p>
        It joins the items of {firstLine(agent)}, pinned, so that the agent sees it again with its
        context.
      </p>
    </Confirm>
  );
}
