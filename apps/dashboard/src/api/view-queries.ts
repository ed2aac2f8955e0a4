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
import { knownViewNear, mergeView } from './merge-view.ts';
import type { RequestDiff, Segment, View } from './queries.ts';
import { type SessionMode, useModeQuery } from './session-mode.ts';

interface ViewOf {
  readonly session: string;
  readonly at: number | undefined;
  readonly find: string;
  readonly mode?: SessionMode;
}

function viewKey({ session, at, find, mode }: ViewOf) {
  return ['session', session, 'view', at ?? 'now', find, mode] as const;
}

function viewQuery(client: CtxClient, asked: ViewOf) {
  const { session, at, find, mode } = asked;
  return queryOptions({
    queryKey: viewKey(asked),
    queryFn: async ({ signal, client: queries }) => {
      const query = {
        characters: rowCharacters,
        limit: viewPage,
        ...(at === undefined ? {} : { at }),
        ...(find === '' ? {} : { find }),
        ...(mode === undefined ? {} : { mode }),
      };
      const read = (since: { readonly since?: number } = {}): Promise<View> =>
        readWhole((from) => {
          const page = from === 0 ? {} : { from };
          const params = { path: { session }, query: { ...query, ...since, ...page } };
          return ask(client.GET('/v1/sessions/{session}/view', { params, signal }));
        });
      const keyOf = (other: number) => viewKey({ ...asked, at: other });
      const known = at === undefined || find !== '' ? undefined : knownViewNear(queries, at, keyOf);
      if (known === undefined) return read();
      // A rewind meanwhile can take the known request away: then the whole view is read.
      const changes = await read({ since: known.number }).catch(() => undefined);
      return (changes && mergeView(known, changes)) ?? read();
    },
  });
}

/** Reads the pages of a view and puts them together. */
async function readWhole(read: (from: number) => Promise<View>): Promise<View> {
  const first = await read(0);
  const segments = [...first.segments];
  let { next } = first;
  while (next !== undefined) {
    const page = await read(next);
    segments.push(...page.segments);
    ({ next } = page);
  }
  return { ...first, segments };
}

/** Most pieces of a view in one answer: the server ends it before 300 KB. */
const viewPage = 1000;

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

/** Largest pieces that a summary names. */
const largestCount = 8;

/** The window as it stands: its sums by kind and tool, and its largest pieces, those first. */
export function useViewSums(session: string): UseQueryResult<View> {
  const { client } = useApi();
  const mode = useModeQuery();
  return useQuery({
    queryKey: ['session', session, 'view', 'sums', mode.mode],
    queryFn: () => {
      const query = { largest: largestCount, characters: rowCharacters, ...mode };
      const params = { path: { session }, query };
      return ask(client.GET('/v1/sessions/{session}/view', { params }));
    },
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
  { at, isOn = true }: Pick<ViewOptions, 'at' | 'isOn'> = {},
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

/** Most characters of a text in a conversation, before the reader asks for all of it. */
export const talkCharacters = 1500;

/** Pieces of a conversation in one answer. */
const talkPage = 60;

/** The pieces of a session as it stands, from a message on, page by page. */
export function useConversation(
  session: string,
  message: number,
): UseInfiniteQueryResult<{ readonly pages: readonly View[] }> {
  const { client } = useApi();
  const mode = useModeQuery();
  return useInfiniteQuery({
    queryKey: ['session', session, 'conversation', message, mode.mode],
    initialPageParam: 0,
    getNextPageParam: ({ next }: View) => next,
    queryFn: ({ pageParam: from, signal }) => {
      const page = { from, limit: talkPage, characters: talkCharacters };
      const query = { ...page, ...(message === 0 ? {} : { message }), ...mode };
      const params = { path: { session }, query };
      return ask(client.GET('/v1/sessions/{session}/view', { params, signal }));
    },
  });
}
