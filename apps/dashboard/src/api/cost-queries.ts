import {
  keepPreviousData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { useApi } from './api-context.ts';
import { ask } from './ask.ts';
import type { Json } from './json.ts';

export type Costs = Json<'/v1/costs'>;

/** A session with what it cost, and how full its last request was. */
export type SessionCost = Costs['costs'][number];

/** In which order sessions come. */
export type CostOrder = 'time' | 'cost' | 'fill';

/** Which sessions are asked for. */
export interface CostQuery {
  readonly sort: CostOrder;
  readonly isGrouped?: boolean;
  /** Text that id, title or agent hold. */
  readonly q?: string;
  /** Sessions in one answer. */
  readonly limit?: number;
}

/** While sessions are not read yet, the server is asked again after so long, ms: it reads for a while with each answer. */
const everyMs = 20;

/** Sessions in an order, page by page, with what they cost and their sum. The server reads them bit by bit. */
export function useCosts({
  sort,
  isGrouped = false,
  q = '',
  limit = 100,
}: CostQuery): UseInfiniteQueryResult<{ readonly pages: readonly Costs[] }> {
  const { client } = useApi();
  return useInfiniteQuery({
    queryKey: ['costs', sort, isGrouped, q, limit],
    placeholderData: keepPreviousData,
    initialPageParam: '',
    getNextPageParam: ({ next }: Costs) => next,
    refetchInterval: ({ state }) => ((state.data?.pages[0]?.unread ?? 0) > 0 ? everyMs : false),
    queryFn: ({ pageParam: cursor, signal }) => {
      const group = isGrouped && ({ group: 'project' } as const);
      const query = { limit, sort, q, ...group, ...(cursor && { cursor }) };
      return ask(client.GET('/v1/costs', { params: { query }, signal }));
    },
  });
}

type Dollars = Readonly<Record<'inputDollars' | 'outputDollars', number>>;

/** US dollars of models together. Pure. */
export function dollarsOf(models: readonly Dollars[] = []): number {
  return models.reduce((sum, one) => sum + one.inputDollars + one.outputDollars, 0);
}
