import { decodeText } from '@ctx/core/encoding';
import * as z from 'zod';
import type { RecordKey, StoreBackend, StoredRecord } from '../backend/store-backend.ts';
import { agentFactBodySchema } from '../facts/agent-fact.ts';
import type { PurgeStep } from './purge-step.ts';

/** Where a purge looks for what it destroys. */
export interface PurgePlace {
  readonly backend: StoreBackend;
  /** As keys hold it. */
  readonly tenant: string;
}

/** Steps as they are found: none of them is held. */
export type PurgeSteps = AsyncGenerator<PurgeStep, void, undefined>;

type Columns = StoredRecord['columns'];

/** The JSON of a body; `undefined` where it is none. */
export function bodyOf({ body }: StoredRecord): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Keys and columns of a part of an index. */
export async function* columnsOf(
  { backend }: PurgePlace,
  collection: string,
  [index, ...equal]: readonly [string, ...string[]],
): AsyncGenerator<StoredRecord, void, undefined> {
  yield* backend.scan({ collection, index, equal, part: 'columns' });
}

/** All records of a part of an index. */
export async function* recordSteps(
  place: PurgePlace,
  [collection, ...part]: readonly [string, string, ...string[]],
): PurgeSteps {
  for await (const { key } of columnsOf(place, collection, part)) {
    yield { type: 'record', collection, key };
  }
}

/** Which facts go, beside those that were learned in `sessions` alone. */
export interface FactsDue {
  /** As keys hold them. */
  readonly sessions: ReadonlySet<string>;
  readonly isDue: (record: StoredRecord) => boolean;
}

/** The sessions of a fact's origins, decoded, split into those that go and those that stay. */
function originsOf(
  record: StoredRecord,
  going: ReadonlySet<string>,
): { readonly gone: readonly string[]; readonly isLeft: boolean } {
  const body = agentFactBodySchema.safeParse(bodyOf(record)).data;
  const names = (body?.origins ?? []).map(({ sessionId }) => sessionId);
  const gone = names.filter((name) => going.has(name));
  return { gone, isLeft: gone.length < names.length };
}

/** Facts that are due or were learned in these sessions alone go; those that others confirm stay, without them as origin. */
export async function* factSteps(
  { backend, tenant }: PurgePlace,
  { sessions, isDue }: FactsDue,
): PurgeSteps {
  const collection = 'facts';
  const going = new Set([...sessions].map(decodeText));
  const part = going.size === 0 ? 'columns' : 'whole';
  for await (const record of backend.scan({ collection, index: 'key', equal: [tenant], part })) {
    const { key } = record;
    const { gone, isLeft } = originsOf(record, going);
    if (isDue(record) || (gone.length > 0 && !isLeft)) yield { type: 'record', collection, key };
    else if (gone.length > 0) yield { type: 'fact', key, sessions: gone };
  }
}

/** Events that tell of an item, by its id: where the item goes, they lose its name. */
export type ToldItems = Map<string, RecordKey[]>;

/** What was told of an item that goes; of none twice. */
export function* toldSteps(told: ToldItems, id: string): Generator<PurgeStep, void, undefined> {
  for (const key of told.get(id) ?? []) yield { type: 'live-event', key };
  told.delete(id);
}

const namedSchema = z.object({ id: z.string() });

/**
 * Takes the names of what goes out of what was told to those who watch. The numbers of these events stay: they are without gaps. Those
 * that tell of an item and are not due are put into `told`: a log holds some ten thousand events.
 */
export async function* liveSteps(
  { backend, tenant }: PurgePlace,
  isDue: (columns: Columns) => boolean,
  told: ToldItems,
): PurgeSteps {
  const query = { collection: 'live_events', index: 'key', equal: [tenant] } as const;
  for await (const record of backend.scan(query)) {
    const { key, columns } = record;
    if (isDue(columns)) {
      yield { type: 'live-event', key };
      continue;
    }
    const id = namedSchema.safeParse(bodyOf(record)).data?.id;
    if (id !== undefined) told.set(id, [...(told.get(id) ?? []), key]);
  }
}

/** How an item goes: with what checkpoints keep of it, or alone since that goes by itself. `undefined`: it stays. */
export type ItemWay = (item: {
  readonly columns: Columns;
  /** As keys hold it. */
  readonly agent: string;
}) => 'item' | 'record' | undefined;

/** Items that go, and the events that name them. */
export async function* itemSteps(
  { backend, tenant }: PurgePlace,
  wayOf: ItemWay,
  told: ToldItems,
): PurgeSteps {
  const collection = 'items';
  const columns = ['session_id', 'pinned', 'last_accessed_at'];
  const query = { collection, index: 'key', equal: [tenant], part: 'columns', columns } as const;
  for await (const found of backend.scan(query)) {
    const { key } = found;
    const way = wayOf({ columns: found.columns, agent: key[1] ?? '' });
    if (way === undefined) continue;
    yield way === 'item' ? { type: 'item', key, newest: -1 } : { type: 'record', collection, key };
    yield* toldSteps(told, decodeText(key[2] ?? ''));
  }
}
