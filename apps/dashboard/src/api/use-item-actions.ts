import { useQueryClient } from '@tanstack/react-query';
import { useApi } from './api-context.ts';
import { done } from './ask.ts';

export interface ItemPlace {
  readonly agent: string;
  readonly item: string;
}

/** Changes or deletes one item. Reads its current version first. */
export function useItemActions(path: ItemPlace) {
  const { client } = useApi();
  const queries = useQueryClient();
  const params = { path };
  const address = '/v1/agents/{agent}/items/{item}';
  const act = async (
    call: (headers: { 'If-Match': string }) => Parameters<typeof done>[0],
  ): Promise<void> => {
    const { headers } = await done(client.GET(address, { params }));
    await done(call({ 'If-Match': headers.get('etag') ?? '' }));
    await queries.invalidateQueries({ queryKey: ['agent', path.agent] });
  };
  return {
    change: (body: { pinned?: boolean; archived?: boolean }) =>
      act((headers) => client.PATCH(address, { params, body, headers })),
    remove: () => act((headers) => client.DELETE(address, { params, headers })),
  };
}
