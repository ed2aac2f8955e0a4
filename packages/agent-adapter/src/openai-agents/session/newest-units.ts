import type { ItemShape } from '../host-types.ts';
import { answeredCallOf, callOf, typeOf } from '../items/item-fields.ts';

/** Whether a history may begin here: reasoning stays with the item that it led to. */
function mayBegin(before: ItemShape | undefined): boolean {
  return before === undefined || typeOf(before) !== 'reasoning';
}

/**
 * The newest items, at most `limit`, so that they begin a history that every provider takes: no result without its call, no item
 * without its reasoning. `items` are the newest of the history; the one before them, if there is one, stands in front, so that it can
 * be told what it was.
 * Pure; gives fewer where the limit falls within what belongs together, none where that is longer. Goes through the items.
 */
export function newestUnits<Item extends ItemShape>(
  items: readonly Item[],
  limit: number,
): readonly Item[] {
  if (limit <= 0) return [];
  /** Results further back whose calls have not been met. */
  const open = new Set<string>();
  let start = items.length;
  const first = Math.max(0, items.length - limit);
  for (let at = items.length - 1; at >= first; at -= 1) {
    const item = items[at];
    if (item === undefined) break;
    const answered = answeredCallOf(item);
    if (answered !== undefined) open.add(answered);
    const call = callOf(item);
    if (call !== undefined) open.delete(call);
    if (open.size === 0 && mayBegin(items[at - 1])) start = at;
  }
  return items.slice(start);
}
