import {
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { useApi } from './api-context.ts';
import { ask } from './ask.ts';
import { type Json, pageSize } from './json.ts';
import { useModeQuery } from './session-mode.ts';

export type SessionList = Json<'/v1/sessions'>;
export type SessionEntry = SessionList['sessions'][number];
export type View = Json<'/v1/sessions/{session}/view'>;
export type Use = NonNullable<Json<'/v1/sessions/{session}/use'>['use']>;
export type Segment = View['segments'][number];
export type Timeline = Json<'/v1/sessions/{session}/requests'>;
export type TimelineRequest = Timeline['requests'][number];
export type RequestDiff = Json<'/v1/sessions/{session}/requests/{number}/diff'>;
export type ItemPage = Json<'/v1/agents/{agent}/items'>;
export type ItemEntry = ItemPage['items'][number];
export type ItemAnswer = Json<'/v1/agents/{agent}/items/{item}'>;
export type ItemStats = Json<'/v1/agents/{agent}/items/stats'>;
export type FactEntry = Json<'/v1/agents/{agent}/facts'>['facts'][number];
export type CheckpointEntry = Json<'/v1/agents/{agent}/checkpoints'>['checkpoints'][number];
export type OutputEntry = Json<'/v1/outputs'>['outputs'][number];
export type Stats = Json<'/v1/stats'>;
export type Compaction = Json<'/v1/sessions/{session}/compactions/{compaction}'>;

/** Sessions, newest first, page by page; `q`: those whose id, title or agent holds it. */
export function useSessions(
  q = '',
): UseInfiniteQueryResult<{ readonly pages: readonly SessionList[] }> {
  const { client } = useApi();
  return useInfiniteQuery({
    queryKey: ['sessions', q],
    placeholderData: keepPreviousData,
    initialPageParam: '',
    getNextPageParam: ({ next }: SessionList) => next,
    queryFn: ({ pageParam: cursor }) => {
      const found = q === '' ? {} : { q };
      const query = { limit: pageSize, ...found, ...(cursor === '' ? {} : { cursor }) };
      return ask(client.GET('/v1/sessions', { params: { query } }));
    },
  });
}

export function useAgents(): UseQueryResult<Json<'/v1/agents'>> {
  const { client } = useApi();
  return useQuery({
    queryKey: ['agents'],
    queryFn: () => ask(client.GET('/v1/agents', { params: { query: { limit: pageSize } } })),
  });
}

export function useSession(session: string): UseQueryResult<Json<'/v1/sessions/{session}'>> {
  const { client } = useApi();
  return useQuery({
    queryKey: ['session', session, 'document'],
    queryFn: () => ask(client.GET('/v1/sessions/{session}', { params: { path: { session } } })),
  });
}

/** Where the tokens of the last request went, also of a session that was imported. */
export function useUse(
  session: string,
  isOn: boolean,
): UseQueryResult<Json<'/v1/sessions/{session}/use'>> {
  const { client } = useApi();
  return useQuery({
    queryKey: ['session', session, 'use'],
    enabled: isOn,
    queryFn: () => ask(client.GET('/v1/sessions/{session}/use', { params: { path: { session } } })),
  });
}

/** All requests of a session, however many pages they are. */
export function useTimeline(
  session: string,
  { isOn = true }: { readonly isOn?: boolean } = {},
): UseQueryResult<Timeline> {
  const { client } = useApi();
  const mode = useModeQuery();
  return useQuery({
    queryKey: ['session', session, 'requests', mode.mode],
    enabled: isOn,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const requests: TimelineRequest[] = [];
      let from: number | undefined = 1;
      let total = 0;
      let imported: Timeline['imported'];
      while (from !== undefined) {
        const params = { path: { session }, query: { from, ...mode } };
        const page: Timeline = await ask(client.GET('/v1/sessions/{session}/requests', { params }));
        requests.push(...page.requests);
        ({ total, imported } = page);
        from = page.next;
      }
      return { requests, total, ...(imported === undefined ? {} : { imported }) };
    },
  });
}

export function useCompactions(
  session: string,
): UseQueryResult<Json<'/v1/sessions/{session}/compactions'>> {
  const { client } = useApi();
  return useQuery({
    queryKey: ['session', session, 'compactions'],
    queryFn: () =>
      ask(
        client.GET('/v1/sessions/{session}/compactions', {
          params: { path: { session }, query: { limit: pageSize } },
        }),
      ),
  });
}

export function useCompaction(session: string, compaction: number): UseQueryResult<Compaction> {
  const { client } = useApi();
  const path = { session, compaction };
  return useQuery({
    queryKey: ['session', session, 'compaction', compaction],
    queryFn: () =>
      ask(client.GET('/v1/sessions/{session}/compactions/{compaction}', { params: { path } })),
  });
}

export function useItemStats(agent: string | undefined): UseQueryResult<ItemStats> {
  const { client } = useApi();
  const path = { agent: agent ?? '' };
  return useQuery({
    queryKey: ['agent', agent, 'stats'],
    enabled: agent !== undefined,
    queryFn: () => ask(client.GET('/v1/agents/{agent}/items/stats', { params: { path } })),
  });
}

/** What the name of a page of the archive begins with: its pages come after those of all other items. */
const archivePage = 'archive ';

/** All items of an agent, page by page, those in its archive last. */
export function useItems(
  agent: string,
): UseInfiniteQueryResult<{ readonly pages: readonly ItemPage[] }> {
  const { client } = useApi();
  return useInfiniteQuery({
    queryKey: ['agent', agent, 'items'],
    initialPageParam: '',
    getNextPageParam: ({ next }: ItemPage, _pages, page: string) => {
      if (page.startsWith(archivePage)) return next === undefined ? next : archivePage + next;
      return next ?? archivePage;
    },
    queryFn: ({ pageParam: page }) => {
      const isArchive = page.startsWith(archivePage);
      const cursor = isArchive ? page.slice(archivePage.length) : page;
      const query = {
        limit: pageSize,
        ...(cursor === '' ? {} : { cursor }),
        ...(isArchive ? ({ archived: 'true' } as const) : {}),
      };
      return ask(client.GET('/v1/agents/{agent}/items', { params: { path: { agent }, query } }));
    },
  });
}

export function useItemSearch(
  agent: string,
  { q, isArchive }: { readonly q: string; readonly isArchive: boolean },
): UseQueryResult<Json<'/v1/agents/{agent}/items/search'>> {
  const { client } = useApi();
  const archived = isArchive ? ({ archived: 'true' } as const) : {};
  const params = { path: { agent }, query: { q, limit: pageSize, ...archived } };
  return useQuery({
    queryKey: ['agent', agent, 'search', q, isArchive],
    enabled: q !== '',
    placeholderData: keepPreviousData,
    queryFn: () => ask(client.GET('/v1/agents/{agent}/items/search', { params })),
  });
}

/** One item with its content; counts as no access. `version` tells when it has to be read anew. */
export function useItem(agent: string, item: string, version: string): UseQueryResult<ItemAnswer> {
  const { client } = useApi();
  return useQuery({
    queryKey: ['agent', agent, 'item', item, version],
    queryFn: () =>
      ask(client.GET('/v1/agents/{agent}/items/{item}', { params: { path: { agent, item } } })),
  });
}

/** What is known beyond one session, last stated first, or what answers a question. */
export function useFacts(
  agent: string,
  q: string,
): UseQueryResult<Json<'/v1/agents/{agent}/facts'>> {
  const { client } = useApi();
  const query = { limit: pageSize, ...(q === '' ? {} : { q }) };
  return useQuery({
    queryKey: ['agent', agent, 'facts', q],
    placeholderData: keepPreviousData,
    queryFn: () =>
      ask(client.GET('/v1/agents/{agent}/facts', { params: { path: { agent }, query } })),
  });
}

export function useCheckpoints(
  agent: string,
): UseQueryResult<Json<'/v1/agents/{agent}/checkpoints'>> {
  const { client } = useApi();
  const params = { path: { agent }, query: { limit: pageSize } };
  return useQuery({
    queryKey: ['agent', agent, 'checkpoints'],
    queryFn: () => ask(client.GET('/v1/agents/{agent}/checkpoints', { params })),
  });
}

export function useCheckpointDiff(
  agent: string,
  checkpoint: string,
): UseQueryResult<Json<'/v1/checkpoints/{checkpoint}/diff'>> {
  const { client } = useApi();
  return useQuery({
    queryKey: ['agent', agent, 'diff', checkpoint],
    queryFn: () =>
      ask(client.GET('/v1/checkpoints/{checkpoint}/diff', { params: { path: { checkpoint } } })),
  });
}

export function useStats(): UseQueryResult<Stats> {
  const { client } = useApi();
  return useQuery({ queryKey: ['stats'], queryFn: () => ask(client.GET('/v1/stats')) });
}
