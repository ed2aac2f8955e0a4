import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useApi } from './api-context.ts';
import { ask } from './ask.ts';
import type { Json } from './json.ts';

type Costs = Json<'/v1/costs'>;

/** A session with what it cost, and how full its last request was. */
export type SessionCost = Costs['costs'][number];

/** Sessions in one answer. */
const pageSize = 50;

/** Reads what all sessions cost, page by page, until it has all of them. */
export function useCosts(isOn = true): {
  readonly costs: readonly SessionCost[];
  readonly isAll: boolean;
  readonly error: Error | null;
} {
  const { client } = useApi();
  const { data, error, hasNextPage, isFetching, isError, fetchNextPage } = useInfiniteQuery({
    queryKey: ['costs'],
    enabled: isOn,
    initialPageParam: '',
    getNextPageParam: ({ next }: Costs) => next,
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { limit: pageSize, ...(cursor === '' ? {} : { cursor }) };
      return ask(client.GET('/v1/costs', { params: { query }, signal }));
    },
  });
  useEffect(() => {
    if (isOn && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isOn, hasNextPage, isFetching, isError, fetchNextPage]);
  const costs = data?.pages.flatMap((page) => page.costs) ?? [];
  return { costs, isAll: data !== undefined && !hasNextPage, error };
}

/** US dollars that a session cost. Pure. */
export function dollarsOfSession({ cost }: SessionCost): number {
  const models = cost?.models ?? [];
  return models.reduce((sum, one) => sum + one.inputDollars + one.outputDollars, 0);
}
