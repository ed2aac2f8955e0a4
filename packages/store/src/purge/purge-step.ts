import * as z from 'zod';
import type { RecordKey } from '../backend/store-backend.ts';

/** One thing that a purge does. Keys are whole, but for the tenant, and as the backend holds them. */
export type PurgeStep =
  /** Goes as it is. */
  | { readonly type: 'record'; readonly collection: string; readonly key: RecordKey }
  /** Stays, without these sessions (as its body names them) as origins. */
  | { readonly type: 'fact'; readonly key: RecordKey; readonly sessions: readonly string[] }
  /** Keeps its number and loses every name. */
  | { readonly type: 'live-event'; readonly key: RecordKey }
  /**
   * Goes with the contents that checkpoints keep of it. Up to the checkpoint with the number `newest` its name goes by steps of their
   * own.
   */
  | { readonly type: 'item'; readonly key: RecordKey; readonly newest: number }
  /** A part of a manifest that stays, without these items (decoded). */
  | { readonly type: 'part'; readonly key: RecordKey; readonly ids: readonly string[] }
  /** A checkpoint that stays, with a session that belongs to no agent. */
  | { readonly type: 'owner'; readonly key: RecordKey }
  /** Goes with the contents that were kept for it alone. */
  | { readonly type: 'checkpoint'; readonly key: RecordKey };

/** How facts are counted that are written without an origin. */
const factsThatStay = 'facts that stay';

/** How parts of manifests are counted that are written without some items, and checkpoints without an agent. */
const partsThatStay = 'parts of checkpoints that stay';
const checkpointsThatStay = 'checkpoints that stay';

/** Under which name a step is counted. */
export function countedAs(step: PurgeStep): string {
  switch (step.type) {
    case 'record':
      return step.collection;
    case 'fact':
      return factsThatStay;
    case 'live-event':
      return 'live_events';
    case 'item':
      return 'items';
    case 'part':
      return partsThatStay;
    case 'owner':
      return checkpointsThatStay;
    case 'checkpoint':
      return 'checkpoints';
  }
}

/** What a batch does, as it is stored: steps of one kind together. */
export interface PurgeBatch {
  readonly records: readonly (readonly [collection: string, keys: readonly RecordKey[]])[];
  readonly facts: readonly (readonly [key: RecordKey, sessions: readonly string[]])[];
  readonly liveEvents: readonly RecordKey[];
  readonly items: readonly RecordKey[];
  /** Of the agents of `items`, as keys hold them: up to which checkpoint their manifests are looked through by other steps. */
  readonly newest: readonly (readonly [agent: string, sequence: number])[];
  readonly parts: readonly (readonly [key: RecordKey, ids: readonly string[]])[];
  readonly owners: readonly RecordKey[];
  readonly checkpoints: readonly RecordKey[];
}

const texts = z.array(z.string());
const keys = z.array(texts);

/** Checks a batch that was stored. */
export const purgeBatchSchema: z.ZodType<PurgeBatch> = z.object({
  records: z.array(z.tuple([z.string(), keys])),
  facts: z.array(z.tuple([texts, texts])),
  liveEvents: keys,
  items: keys,
  // Batches of a purge that was begun before there were these have none.
  newest: z.array(z.tuple([z.string(), z.number()])).default([]),
  parts: z.array(z.tuple([texts, texts])).default([]),
  owners: keys.default([]),
  checkpoints: keys,
});

type StepOf<Type> = Extract<PurgeStep, { readonly type: Type }>;

/** Puts steps of one kind together. */
export function batchOf(steps: readonly PurgeStep[]): PurgeBatch {
  const of = <Type extends PurgeStep['type']>(type: Type): StepOf<Type>[] =>
    steps.filter((step): step is StepOf<Type> => step.type === type);
  const keysOf = (type: PurgeStep['type']): RecordKey[] => of(type).map(({ key }) => key);
  const records = new Map<string, RecordKey[]>();
  for (const { collection, key } of of('record')) {
    const known = records.get(collection);
    if (known === undefined) records.set(collection, [key]);
    else known.push(key);
  }
  return {
    records: [...records],
    facts: of('fact').map(({ key, sessions }) => [key, sessions]),
    liveEvents: keysOf('live-event'),
    items: keysOf('item'),
    newest: [...new Map(of('item').map(({ key, newest }) => [key[1] ?? '', newest]))],
    parts: of('part').map(({ key, ids }) => [key, ids]),
    owners: keysOf('owner'),
    checkpoints: keysOf('checkpoint'),
  };
}

/** Records of a batch by name, as {@link countedAs} names them. */
export function countsOf(batch: PurgeBatch): Record<string, number> {
  const { records, facts, liveEvents, items, parts, owners, checkpoints } = batch;
  const counts = Object.fromEntries(records.map(([name, list]) => [name, list.length]));
  const stay = { [factsThatStay]: facts, [partsThatStay]: parts, [checkpointsThatStay]: owners };
  const more = { items, checkpoints, live_events: liveEvents, ...stay };
  for (const [name, list] of Object.entries(more)) {
    if (list.length > 0) counts[name] = (counts[name] ?? 0) + list.length;
  }
  return counts;
}
