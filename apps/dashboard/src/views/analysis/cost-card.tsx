import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/api-context.ts';
import { ask } from '../../api/ask.ts';
import { useModeQuery } from '../../api/session-mode.ts';
import { sessionPath } from '../../parts/addresses.ts';
import { moneyText } from '../../parts/text/format.ts';
import { CarriedText, type Cost, CostTable } from './cost-table.tsx';

/** Loads once, when the view opens: the server reads the whole session for it. */
function useCost(session: string): UseQueryResult<Cost> {
  const { client } = useApi();
  const mode = useModeQuery();
  const params = { path: { session }, query: mode };
  return useQuery({
    queryKey: ['cost', session, mode.mode],
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    queryFn: () => ask(client.GET('/v1/sessions/{session}/cost', { params })),
  });
}

/** What that is in dollars, or why it is not said. Pure. */
export function savedText({ savedDollars }: Cost): string {
  if (savedDollars === undefined) return 'Its own agent decided that, not ctx.';
  const dollars = moneyText(Math.abs(savedDollars));
  const what = savedDollars < 0 ? 'more' : 'less';
  return `The input cost about ${dollars} ${what} than that, by the same prices and a cache of five minutes.`;
}

/** What the session cost, by model. */
export function CostCard({ session }: { session: string }): ReactNode {
  const { data } = useCost(session);
  if (data === undefined || data.models.length === 0) return null;
  return (
    <section aria-label="Cost">
      <CostTable models={data.models} />
      <p>
        <CarriedText {...data} /> {savedText(data)}{' '}
        <Link href={sessionPath(session, '/what-if')}>What that saves in dollars</Link>
      </p>
    </section>
  );
}
