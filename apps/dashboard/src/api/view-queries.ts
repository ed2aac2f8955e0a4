import {
  keepPreviousData,
  queryOptions,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { type CtxClient, useApi } from './api-context.ts';
import { ask } from './ask.ts';
import type { RequestDiff, Segment, View } from './queries.ts';
import { type SessionMode, useModeQuery } from './session-mode.ts';

interface ViewOf {
  readonly session: string;
  readonly at: number | undefined;
  readonly find: string;
  readonly mode?: SessionMode;
}

function viewQuery(client: CtxClient, { session, at, find, mode }: ViewOf) {
  return queryOptions({
    queryKey: ['session', session, 'view', at ?? 'now', find, mode],
    queryFn: ({ signal }) => {
      const query = {
        characters: rowCharacters,
        ...(at === undefined ? {} : { at }),
        ...(find === '' ? {} : { find }),
        ...(mode === undefined ? {} : { mode }),
      };
      const params = { path: { session }, query };
      return ask(client.GET('/v1/sessions/{session}/view', { params, signal }));
    },
  });
}

/** Most characters of a text in a list: what a row shows of it. */
const rowCharacters = 240;

interface ViewOptions {
  readonly at?: number | undefined;
  /** Only segments whose whole text holds this. */
  readonly find?: string;
  readonly isOn?: boolean;
}

/** What the model saw, with the beginning of each text; `at`: the request, from 1; left out: as it stands. */
export function useView(
  session: string,
  { at, find = '', isOn = true }: ViewOptions = {},
): UseQueryResult<View> {
  const { client } = useApi();
  return useQuery({
    ...viewQuery(client, { session, at, find, ...useModeQuery() }),
    enabled: isOn,
    placeholderData: keepPreviousData,
  });
}

/** Reads the views of the neighbours of a request, so that a step to one shows it at once. */
export function usePrefetchedViews(session: string, numbers: readonly number[]): void {
  const { client } = useApi();
  const queries = useQueryClient();
  const { mode } = useModeQuery();
  const names = numbers.join(' ');
  useEffect(() => {
    for (const at of names === '' ? [] : names.split(' ').map(Number)) {
      // A view that can't be read says so when it is shown.
      const asked = { session, at, find: '', ...(mode === undefined ? {} : { mode }) };
      queries.query(viewQuery(client, asked)).catch(() => undefined);
    }
  }, [queries, client, session, names, mode]);
}

/** One segment of a request, whole. */
export function useSegment(
  session: string,
  segment: number,
  at: number | undefined,
  isOn = true,
): UseQueryResult<Segment> {
  const { client } = useApi();
  const mode = useModeQuery();
  return useQuery({
    queryKey: ['session', session, 'segment', segment, at ?? 'now', mode.mode],
    enabled: isOn,
    queryFn: () => {
      const path = { session, segment };
      const query = at === undefined ? mode : { at, ...mode };
      return ask(client.GET('/v1/sessions/{session}/view/{segment}', { params: { path, query } }));
    },
  });
}

/** What is different from the request before, page by page. */
export function useRequestDiff(
  session: string,
  number: number,
): UseInfiniteQueryResult<{ readonly pages: readonly RequestDiff[] }> {
  const { client } = useApi();
  const mode = useModeQuery();
  return useInfiniteQuery({
    queryKey: ['session', session, 'diff', number, mode.mode],
    placeholderData: keepPreviousData,
    initialPageParam: 0,
    getNextPageParam: ({ next }: RequestDiff) => next,
    queryFn: ({ pageParam: from, signal }) => {
      const query = { from, characters: rowCharacters, ...mode };
      const params = { path: { session, number }, query };
      return ask(client.GET('/v1/sessions/{session}/requests/{number}/diff', { params, signal }));
    },
  });
}
