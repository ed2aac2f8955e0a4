import {
  keepPreviousData,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/api-context.ts';
import { ask } from '../../api/ask.ts';
import type { TimelineRequest } from '../../api/queries.ts';
import { useModeQuery } from '../../api/session-mode.ts';
import { later, paced } from '../../live/paced.ts';
import { sessionPath } from '../../parts/addresses.ts';
import { moneyText } from '../../parts/text/format.ts';
import { type Cost, CostOrigins, carriedText } from './cost-table.tsx';

/** Least time between two readings, ms: the server reads the whole session for each. */
const restMs = 1000;

interface CostProps {
  readonly session: string;
  readonly requests: readonly TimelineRequest[];
}

/** Loads when the view opens, and after its requests changed, one reading at a time. */
export function useCost({ session, requests }: CostProps): UseQueryResult<Cost> {
  const { client } = useApi();
  const query = useModeQuery();
  const { mode } = query;
  const params = { path: { session }, query };
  const queries = useQueryClient();
  const read = useMemo(() => {
    const filter = { queryKey: ['cost', session, mode] };
    return paced(() => queries.refetchQueries(filter, { cancelRefetch: false }), later, restMs);
  }, [queries, session, mode]);
  useEffect(read, [read, requests]);
  return useQuery({
    queryKey: ['cost', session, mode],
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    queryFn: () => ask(client.GET('/v1/sessions/{session}/cost', { params })),
  });
}

/** What that is in dollars, or why it is not said. Pure. */
export function savedText({ savedDollars }: Cost): string {
  if (savedDollars === undefined) return 'Its own agent decided what to send, not ctx.';
  const what = savedDollars < 0 ? 'more' : 'less';
  return `The input cost ${moneyText(Math.abs(savedDollars))} ${what} than that (estimated).`;
}

interface NotesProps {
  readonly session: string;
  readonly cost: Cost;
}

/** What the session did not have to carry, and how its cost was found. Its length changes with the figures: what stands still comes before it. */
export function CostNotes({ session, cost }: NotesProps): ReactNode {
  return (
    <>
      <p>
        <Link href={sessionPath(session, '/what-if')}>Compare with other policies</Link>
      </p>
      <p>{`${carriedText(cost)} ${savedText(cost)}`}</p>
      <CostOrigins models={cost.models} />
    </>
  );
}
