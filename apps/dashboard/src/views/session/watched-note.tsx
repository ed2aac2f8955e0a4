import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useSession, useTimeline } from '../../api/queries.ts';
import { sessionPath } from '../../parts/addresses.ts';
import { Empty } from '../../parts/states.tsx';
import { countText } from '../../parts/text/format.ts';

/** Whether a proxy passed all requests of a session on as the agent wrote them, so that none is recorded. */
export function useIsWatched(session: string): boolean {
  const source = useSession(session).data?.session.source;
  const total = useTimeline(session).data?.total;
  return source?.startsWith('proxy:') === true && total === 0;
}

/** Says of a session that a proxy only watched what happened to its requests, and where to see what ctx would have sent. */
export function WatchedNote({ session }: { session: string }): ReactNode {
  const isWatched = useIsWatched(session);
  const document = useSession(session).data?.document;
  if (!isWatched || document === undefined) return null;
  const { system_state: state, token_usage: usage } = document;
  const name = state['proxy_held_out'] === true ? 'held out for comparison' : 'only watched';
  return (
    <section className="card note" aria-label="Watched session">
      <strong>This session was {name}.</strong>{' '}
      <span>
        The proxy passed every request on unchanged; the provider counted{' '}
        {countText(usage.total_input)} input tokens in total.{' '}
        <Link href={sessionPath(session, '/what-if')}>See what ctx would have saved</Link>
      </span>
    </section>
  );
}

/** Stands in views of single requests, where a proxy passed them on. */
export function NotRecorded(): ReactNode {
  return (
    <Empty title="No requests recorded">
      <p>
        ctx records the requests that it shapes. Those of this session were passed on unchanged;
        their messages are in the other views.
      </p>
    </Empty>
  );
}
