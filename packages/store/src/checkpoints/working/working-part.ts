import type { ItemSummary } from '@ctx/core';
import { listedValues, listsOf } from '../../backend/record-lists.ts';
import type { ColumnValue, RecordLists } from '../../backend/store-backend.ts';
import { itemColumns, itemSummaryOf } from '../../items/item-record.ts';

/** An item, and the version it was read in. */
export interface StandingItem {
  readonly item: ItemSummary;
  readonly version: number;
}

/**
 * Items of one part of a manifest. Source: so many stay under the 65,536 characters from which a store compresses, and random
 * fingerprints do not get smaller by that.
 */
export const partItems = 300;

const itemId = 'item_id';

/** The columns of an item's record that a checkpoint holds; whether it is archived is known of each part. */
const listedColumns = [
  'kind',
  'rank',
  'access_count',
  'created_at',
  'last_accessed_at',
  'pinned',
  'fingerprint',
  'tokens',
  'updated_at',
  'ranked_at',
  'finished_at',
  'weight',
  'source',
  'trust',
  'session_id',
] as const;

/** The name of a column that is listed. */
export type ListedColumn = (typeof listedColumns)[number];

/** What is listed of items. */
export const listedNames: readonly string[] = [itemId, ...listedColumns];

/** Some items one after the other, as lists of their members. */
export interface WorkingPart {
  readonly lists: RecordLists;
  readonly ranks: readonly number[];
  readonly tokens: readonly number[];
}

const numbersIn = (text: string | undefined): number[] => listedValues(text).map(Number);

/** Reads two of the lists. */
export function workingPart(lists: RecordLists): WorkingPart {
  const { rank, tokens } = lists.lists;
  return { lists, ranks: numbersIn(rank), tokens: numbersIn(tokens) };
}

/** The ids of the items of a part. */
export function idsOfPart({ lists }: WorkingPart): string[] {
  return listedValues(lists.lists[itemId]).map(String);
}

/** A column of the items of a part. */
export function columnOfPart({ lists }: WorkingPart, name: ListedColumn): readonly unknown[] {
  return listedValues(lists.lists[name]);
}

function sliced({ lists, versions }: RecordLists, from: number, to: number): RecordLists {
  const slice = (text: string): string => JSON.stringify(listedValues(text).slice(from, to));
  const named = Object.entries(lists).map(([name, text]) => [name, slice(text)] as const);
  return { count: to - from, lists: Object.fromEntries(named), versions: slice(versions) };
}

/** Parts a part: the first `at` items, and the rest. A side without items is left out. */
export function splitPart(part: WorkingPart, at: number): readonly [WorkingPart[], WorkingPart[]] {
  const { count } = part.lists;
  if (at <= 0) return [[], [part]];
  if (at >= count) return [[part], []];
  const [first, rest] = [sliced(part.lists, 0, at), sliced(part.lists, at, count)];
  return [[workingPart(first)], [workingPart(rest)]];
}

const isColumnValue = (value: unknown): value is ColumnValue =>
  typeof value === 'string' || typeof value === 'number' || value === null;

/** The items of a part, none of which is archived. Reads all lists. */
export function standingItems(agentId: string, part: WorkingPart): StandingItem[] {
  const { lists, versions } = part.lists;
  const columns = listedColumns.map((name) => [name, listedValues(lists[name])] as const);
  const versionAt = listedValues(versions);
  return idsOfPart(part).map((id, at) => {
    const record: Record<string, ColumnValue> = { archived: 0 };
    for (const [name, values] of columns) {
      const value = values[at];
      record[name] = isColumnValue(value) ? value : null;
    }
    const version = Number(versionAt[at]);
    return {
      item: itemSummaryOf({ key: [agentId, id], version, columns: record, body: '' }),
      version,
    };
  });
}

/** Lists items that were read one by one. */
export function partsOfItems(items: readonly StandingItem[]): WorkingPart[] {
  const records = items.map(({ item, version }) => ({
    key: [item.agentId, item.id],
    columns: itemColumns(item),
    version,
  }));
  const query = { names: listedNames, size: partItems };
  return listsOf(records, query, ({ key, columns }, name) => {
    return (name === itemId ? key[1] : columns[name]) ?? null;
  }).map(workingPart);
}
