import type { paths } from '@ctx/server/client';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.ts';
import { ask } from '../../api/ask.ts';
import type { Json } from '../../api/json.ts';
import { useAct } from '../../api/use-act.ts';

export type WhatIfRun = Json<'/v1/sessions/{session}/what-if/{run}'>;
export type WhatIfPolicy = NonNullable<WhatIfRun['policies']>[number];

/** How often a replay is asked how far it is, ms. */
const everyMs = 500;

const keyOf = (session: string, run: string): readonly string[] => ['what-if', session, run];

/** How far a replay is, and what it found. */
export function useWhatIf(session: string, run: string): UseQueryResult<WhatIfRun> {
  const { client } = useApi();
  const params = { path: { session, run } };
  return useQuery({
    queryKey: keyOf(session, run),
    enabled: run !== '',
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? everyMs : false),
    queryFn: () => ask(client.GET('/v1/sessions/{session}/what-if/{run}', { params })),
  });
}

/** What a session is replayed under. */
export type WhatIfAsk = Required<
  paths['/v1/sessions/{session}/what-if']['post']['requestBody']['content']['application/json']
>;

/** Starts a replay, and tells its id. */
export function useStartWhatIf(session: string, onStart: (run: string) => void) {
  const { client } = useApi();
  const params = { path: { session } };
  return useAct(async (body: WhatIfAsk) => {
    onStart((await ask(client.POST('/v1/sessions/{session}/what-if', { params, body }))).id);
  });
}

/** Stops a replay. */
export function useCancelWhatIf(session: string, run: string) {
  const { client } = useApi();
  const queries = useQueryClient();
  const params = { path: { session, run } };
  return useAct(async () => {
    const stopped = await ask(client.DELETE('/v1/sessions/{session}/what-if/{run}', { params }));
    queries.setQueryData(keyOf(session, run), stopped);
  });
}
