import { useQuery } from '@tanstack/react-query';
import { useApi } from './api-context.ts';
import { ask } from './ask.ts';

/** Beginning of a key that names it: `ctx_` and its id. */
const idCharacters = 20;

/** What the server says of the key of this tab; `undefined` until that is known. */
function useOwnKey() {
  const { client, keys } = useApi();
  const { data } = useQuery({
    queryKey: ['key', keys.key()?.slice(0, idCharacters)],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => ask(client.GET('/v1/key', {})),
  });
  return data;
}

/** Whether the key of this tab may change something; `undefined` until that is known. */
export function useMayWrite(): boolean | undefined {
  const data = useOwnKey();
  return data && data.scope !== 'read';
}

/** How commands begin that are to find what this page shows, and what their `--store` has to name, if anything. */
export function useCommandStart(): { readonly call?: string; readonly store?: string } {
  return useOwnKey() ?? {};
}
