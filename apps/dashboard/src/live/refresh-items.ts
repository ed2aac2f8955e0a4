import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { CtxClient } from '../api/api-context.ts';
import type { ItemAnswer, ItemEntry, ItemPage } from '../api/queries.ts';

type Items = InfiniteData<ItemPage, string>;

/** A page of the list costs about as much to read as so many items alone. */
const itemsOfPage = 8;

/** The pages with items as they are now; `undefined` for one that is gone. Pure; new ones stand in the first page. */
export function withItems(
  pages: readonly ItemPage[],
  now: ReadonlyMap<string, ItemEntry | undefined>,
): ItemPage[] {
  const known = new Set(pages.flatMap(({ items }) => items.map(({ id }) => id)));
  const added = [...now].flatMap(([id, item]) =>
    item === undefined || known.has(id) ? [] : [item],
  );
  return pages.map((page, place) => {
    const kept = page.items.flatMap((one) => {
      if (!now.has(one.id)) return [one];
      const item = now.get(one.id);
      return item === undefined ? [] : [item];
    });
    return { ...page, items: place === 0 ? [...added, ...kept] : kept };
  });
}

/** What an agent's list is to hold, by id; `undefined` for an item that is gone. */
type Changes = Map<string, ItemEntry | undefined>;

/**
 * Puts items as they are now into lists.
 * Also while further pages of a list are being read, which go on from the list as it was when they were asked for.
 */
function listChanger(queries: QueryClient): (agent: string, now: Changes) => void {
  const waiting = new Map<string, Changes>();
  const put = (agent: string, now: Changes): void => {
    queries.setQueryData<Items>(['agent', agent, 'items'], (list) => {
      return list && { ...list, pages: withItems(list.pages, now) };
    });
  };
  const reading = (agent: string): Promise<unknown> | undefined => {
    const query = queries.getQueryCache().find({ queryKey: ['agent', agent, 'items'] });
    return query?.state.fetchStatus === 'fetching' ? query.promise : undefined;
  };
  const putAgain = async (agent: string, changes: Changes): Promise<void> => {
    for (let read = reading(agent); read !== undefined; read = reading(agent)) {
      await read.catch(() => undefined);
      put(agent, changes);
    }
    waiting.delete(agent);
  };
  return (agent, now) => {
    put(agent, now);
    const known = waiting.get(agent);
    const changes: Changes = known ?? new Map<string, ItemEntry | undefined>();
    for (const [id, item] of now) changes.set(id, item);
    if (known !== undefined || reading(agent) === undefined) return;
    waiting.set(agent, changes);
    void putAgain(agent, changes);
  };
}

/** Reads one item; `undefined` where there is none. */
export type ReadItem = (agent: string, item: string) => Promise<ItemAnswer | undefined>;

/** Reads items of a server. */
export function itemReader(client: CtxClient): ReadItem {
  return async (agent, item) => {
    const params = { path: { agent, item } };
    const { data, response } = await client.GET('/v1/agents/{agent}/items/{item}', { params });
    if (data === undefined && response.status !== 404) throw new TypeError('the item is not read');
    return data;
  };
}

/** Puts items as they are now into the list of their agent, if one is shown. */
export function itemRefresher(
  queries: QueryClient,
  read: ReadItem,
): (agentId: string, ids: readonly string[]) => Promise<unknown> {
  const change = listChanger(queries);
  const refresh = async (agent: string, ids: readonly string[]): Promise<void> => {
    const answers = await Promise.all(ids.map(async (id) => [id, await read(agent, id)] as const));
    for (const [id, answer] of answers) {
      // Its row has its beginning at once.
      if (answer !== undefined) {
        queries.setQueryData(['agent', agent, 'item', id, answer.item.fingerprint], answer);
      }
    }
    change(agent, new Map(answers.map(([id, answer]) => [id, answer?.item])));
  };
  return async (agentId, ids) => {
    const queryKey = ['agent', agentId, 'items'];
    const list = queries.getQueryData<Items>(queryKey);
    if (list === undefined) return;
    const whole = (): Promise<void> => queries.invalidateQueries({ queryKey });
    if (ids.length > itemsOfPage * list.pages.length) return whole();
    return refresh(agentId, ids).catch(whole);
  };
}
