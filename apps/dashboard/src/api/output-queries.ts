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

export type OutputPage = Json<'/v1/outputs'>;
export type OutputHits = Json<'/v1/outputs/search'>;
export type OutputPart = Json<'/v1/outputs/{output}/text'>;

/** Outputs of a session, page by page. */
export function useOutputs(
  session: string,
): UseInfiniteQueryResult<{ readonly pages: readonly OutputPage[] }> {
  const { client } = useApi();
  return useInfiniteQuery({
    queryKey: ['session', session, 'outputs'],
    initialPageParam: '',
    getNextPageParam: ({ next }: OutputPage) => next,
    queryFn: ({ pageParam: cursor }) => {
      const query = { session, limit: pageSize, ...(cursor === '' ? {} : { cursor }) };
      return ask(client.GET('/v1/outputs', { params: { query } }));
    },
  });
}

/** Outputs by words, of one session or of all. */
export function useOutputSearch(q: string, session?: string): UseQueryResult<OutputHits> {
  const { client } = useApi();
  const query = { q, limit: 50, ...(session === undefined ? {} : { session }) };
  return useQuery({
    queryKey: ['outputs', 'search', q, session],
    enabled: q !== '',
    placeholderData: keepPreviousData,
    queryFn: () => ask(client.GET('/v1/outputs/search', { params: { query } })),
  });
}

/** The sizes of an output and what it was called with. A result never changes. */
export function useOutput(output: string): UseQueryResult<Json<'/v1/outputs/{output}'>> {
  const { client } = useApi();
  return useQuery({
    queryKey: ['output', output],
    queryFn: () => ask(client.GET('/v1/outputs/{output}', { params: { path: { output } } })),
  });
}

/** Most characters of one answer. */
const partCharacters = 250_000;

/** The text of an output, whole, however many answers that takes. A result never changes. */
export function useOutputText(output: string): UseQueryResult<string> {
  const { client } = useApi();
  return useQuery({
    queryKey: ['output', output, 'text'],
    queryFn: async ({ signal }) => {
      const parts: string[] = [];
      let rest: string | undefined = '1-';
      while (rest !== undefined) {
        const query = { characters: rest, maxCharacters: partCharacters };
        const params = { path: { output }, query };
        const part: OutputPart = await ask(
          client.GET('/v1/outputs/{output}/text', { params, signal }),
        );
        parts.push(part.text);
        ({ rest } = part);
      }
      return parts.join('');
    },
  });
}
