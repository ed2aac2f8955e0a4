import * as z from 'zod';
import type { RecordKey } from '../store/store-backend.ts';

/** One thing that a purge does. Keys are whole, but for the tenant, and as the backend holds them. */
export type PurgeStep =
  /** Goes as it is. */
  | { readonly type: 'record'; readonly collection: string; readonly key: RecordKey }
  /** Stays, without these sessions (as its body names them) as origins. */
  | { readonly type: 'fact'; readonly key: RecordKey; readonly sessions: readonly string[] }
  /** Keeps its number and loses every name. */
  | { readonly type: 'live-event'; readonly key: RecordKey }
  /** Goes with the contents that checkpoints keep of it. */
  | { readonly type: 'item'; readonly key: RecordKey }
  /** Goes with the contents that were kept for it alone. */
  | { readonly type: 'checkpoint'; readonly key: RecordKey };

/** How facts are counted that are written without an origin. */
export const factsThatStay = 'facts that stay';

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
  readonly checkpoints: readonly RecordKey[];
}

const keys = z.array(z.array(z.string()));

/** Checks a batch that was stored. */
export const purgeBatchSchema: z.ZodType<PurgeBatch> = z.object({
  records: z.array(z.tuple([z.string(), keys])),
  facts: z.array(z.tuple([z.array(z.string()), z.array(z.string())])),
  liveEvents: keys,
  items: keys,
  checkpoints: keys,
});

/** Puts steps of one kind together. */
export function batchOf(steps: readonly PurgeStep[]): PurgeBatch {
  const records = new Map<string, RecordKey[]>();
  const facts: (readonly [RecordKey, readonly string[]])[] = [];
  const others: Record<'live-event' | 'item' | 'checkpoint', RecordKey[]> = {
    'live-event': [],
    item: [],
    checkpoint: [],
  };
  for (const step of steps) {
    if (step.type === 'fact') facts.push([step.key, step.sessions]);
    else if (step.type !== 'record') others[step.type].push(step.key);
    else if (records.get(step.collection)?.push(step.key) === undefined) {
      records.set(step.collection, [step.key]);
    }
  }
  const { 'live-event': liveEvents, item: items, checkpoint: checkpoints } = others;
  return { records: [...records], facts, liveEvents, items, checkpoints };
}

/** Records of a batch by name, as {@link countedAs} names them. */
export function countsOf(batch: PurgeBatch): Record<string, number> {
  const { records, facts, liveEvents, items, checkpoints } = batch;
  const counts = Object.fromEntries(records.map(([name, list]) => [name, list.length]));
  const more = { items, checkpoints, live_events: liveEvents, [factsThatStay]: facts };
  for (const [name, list] of Object.entries(more)) {
    if (list.length > 0) counts[name] = (counts[name] ?? 0) + list.length;
  }
  return counts;
}
