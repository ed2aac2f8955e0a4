import type { CtxClient } from '@ctx/server/client';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { ItemEntry, ItemPage } from '../api/queries.ts';

type Items = InfiniteData<ItemPage, string>;

/** From so many on the list is read anew. */
const mostAlone = 20;

/** The pages with an item as it is now; `undefined` for one that is gone. Pure; a new item stands in the first page. */
export function withItem(pages: readonly ItemPage[], id: string, item?: ItemEntry): ItemPage[] {
  const isKnown = pages.some(({ items }) => items.some((one) => one.id === id));
  return pages.map((page, place) => {
    if (!isKnown) {
      return place === 0 && item !== undefined ? { ...page, items: [item, ...page.items] } : page;
    }
    const items = page.items.flatMap((one) => {
      if (one.id !== id) return [one];
      return item === undefined ? [] : [item];
    });
    return { ...page, items };
  });
}

/** Puts items as they are now into the list of their agent, if one is shown. */
export function itemRefresher(
  queries: QueryClient,
  client: CtxClient,
): (agentId: string, ids: readonly string[]) => void {
  const refresh = async (agent: string, item: string): Promise<void> => {
    const path = { agent, item };
    const { data, response } = await client.GET('/v1/agents/{agent}/items/{item}', {
      params: { path },
    });
    if (data === undefined && response.status !== 404) throw new TypeError('the item is not read');
    // Its row has its beginning at once.
    if (data !== undefined) {
      queries.setQueryData(['agent', agent, 'item', item, data.item.fingerprint], data);
    }
    queries.setQueryData<Items>(['agent', agent, 'items'], (list) => {
      return list && { ...list, pages: withItem(list.pages, item, data?.item) };
    });
  };
  return (agentId, ids) => {
    const queryKey = ['agent', agentId, 'items'];
    if (queries.getQueryData(queryKey) === undefined) return;
    const isAlone = ids.length <= mostAlone;
    const work = isAlone
      ? Promise.all(ids.map((id) => refresh(agentId, id)))
      : Promise.reject(new TypeError('many'));
    work.catch(() => queries.invalidateQueries({ queryKey }));
  };
}
