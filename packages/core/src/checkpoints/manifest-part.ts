import * as z from 'zod';
import { CtxError } from '../errors.ts';
import type { ManifestItem } from '../records/checkpoint.ts';
import type { ItemSummary } from '../records/context-item.ts';
import type { Tier } from '../scoring/tier.ts';
import type { Trust } from '../sessions/session-extras.ts';

/**
 * Items of one part of a manifest. Source: so many stay under the 65,536 characters from which a store compresses, and random
 * fingerprints do not get smaller by that.
 */
export const partItems = 300;

/** Texts that repeat: each once, and which one each item has. */
interface Repeated {
  readonly values: readonly string[];
  readonly at: readonly number[];
}

/** A part of a manifest as it is stored: a list for each member, in the order of the items. */
interface StoredPart {
  readonly id: readonly string[];
  readonly fingerprint: readonly string[];
  readonly rank: readonly number[];
  readonly tokens: readonly number[];
  readonly accesses: readonly number[];
  readonly created: readonly number[];
  /** ms behind `created`, as the two below. */
  readonly updated: readonly number[];
  readonly accessed: readonly number[];
  readonly ranked: readonly number[];
  readonly kind: Repeated;
  readonly source: Repeated;
  readonly trust: Repeated;
  readonly tier: Repeated;
  /** Session by place, for the items that have one. */
  readonly session: readonly (readonly [number, string])[];
  readonly finished: readonly (readonly [number, number])[];
  readonly weight: readonly (readonly [number, number])[];
  /** Places of the items that are pinned, and of those that are archived. */
  readonly pinned: readonly number[];
  readonly archived: readonly number[];
}

const numbers = z.array(z.number());
const repeated: z.ZodType<Repeated> = z.object({ values: z.array(z.string()), at: numbers });
const byPlace = z.array(z.tuple([z.number(), z.number()]));

const storedPart: z.ZodType<StoredPart> = z.object({
  id: z.array(z.string()),
  fingerprint: z.array(z.string()),
  rank: numbers,
  tokens: numbers,
  accesses: numbers,
  created: numbers,
  updated: numbers,
  accessed: numbers,
  ranked: numbers,
  kind: repeated,
  source: repeated,
  trust: repeated,
  tier: repeated,
  session: z.array(z.tuple([z.number(), z.string()])),
  finished: byPlace,
  weight: byPlace,
  pinned: numbers,
  archived: numbers,
});

/** An item as a manifest is to say it. Cost: copies of whole items would take as long as all else that is done with them. */
export interface ListedItem {
  readonly item: Omit<ItemSummary, 'agentId'>;
  readonly tier: Tier;
  readonly archived: boolean;
  /** In place of the item's own. */
  readonly rankedAt: number;
}

function repeatedOf(texts: readonly string[]): Repeated {
  const places = new Map<string, number>();
  const at = texts.map((text) => {
    const known = places.get(text);
    if (known !== undefined) return known;
    places.set(text, places.size);
    return places.size - 1;
  });
  return { values: [...places.keys()], at };
}

/** The places at which there is a value, with it. */
function given<T>(items: readonly ListedItem[], valueOf: (item: ListedItem) => T | undefined) {
  const found: [number, T][] = [];
  items.forEach((item, at) => {
    const value = valueOf(item);
    if (value !== undefined) found.push([at, value]);
  });
  return found;
}

function placesOf(items: readonly ListedItem[], holds: (item: ListedItem) => boolean): number[] {
  const places: number[] = [];
  items.forEach((item, at) => {
    if (holds(item)) places.push(at);
  });
  return places;
}

/** The body of a part. Contract: equal items in equal order give equal bytes. */
export function encodePart(items: readonly ListedItem[]): string {
  const part: StoredPart = {
    id: items.map(({ item }) => item.id),
    fingerprint: items.map(({ item }) => item.fingerprint),
    rank: items.map(({ item }) => item.rank),
    tokens: items.map(({ item }) => item.tokens),
    accesses: items.map(({ item }) => item.accessCount),
    created: items.map(({ item }) => item.createdAt),
    updated: items.map(({ item }) => item.updatedAt - item.createdAt),
    accessed: items.map(({ item }) => item.lastAccessedAt - item.createdAt),
    ranked: items.map(({ item, rankedAt }) => rankedAt - item.createdAt),
    kind: repeatedOf(items.map(({ item }) => item.kind)),
    source: repeatedOf(items.map(({ item }) => item.source)),
    trust: repeatedOf(items.map(({ item }) => item.trust)),
    tier: repeatedOf(items.map(({ tier }) => tier)),
    session: given(items, ({ item }) => item.sessionId),
    finished: given(items, ({ item }) => item.finishedAt),
    weight: given(items, ({ item }) => item.weight),
    pinned: placesOf(items, ({ item }) => item.pinned),
    archived: placesOf(items, ({ archived }) => archived),
  };
  return JSON.stringify(part);
}

function trustNamed(text: string | undefined): Trust {
  return text === 'trusted' || text === 'derived' ? text : 'untrusted';
}

function tierNamed(text: string | undefined): Tier {
  return text === 'hot' || text === 'warm' ? text : 'cold';
}

/** Gives the value at a place; throws where a list of the part is too short. */
function itemAt<T>(values: readonly T[], at: number): T {
  const value = values[at];
  if (value === undefined) throw new RangeError('a list of the part is too short');
  return value;
}

const textAt = ({ values, at }: Repeated, place: number): string =>
  itemAt(values, itemAt(at, place));

function itemsOf(part: StoredPart): ManifestItem[] {
  const session = new Map(part.session);
  const finished = new Map(part.finished);
  const weights = new Map(part.weight);
  const pinned = new Set(part.pinned);
  const archived = new Set(part.archived);
  return part.id.map((id, at) => {
    const createdAt = itemAt(part.created, at);
    const [sessionId, finishedAt, weight] = [session.get(at), finished.get(at), weights.get(at)];
    return {
      id,
      kind: textAt(part.kind, at),
      rank: itemAt(part.rank, at),
      accessCount: itemAt(part.accesses, at),
      createdAt,
      updatedAt: createdAt + itemAt(part.updated, at),
      lastAccessedAt: createdAt + itemAt(part.accessed, at),
      rankedAt: createdAt + itemAt(part.ranked, at),
      pinned: pinned.has(at),
      archived: archived.has(at),
      ...(finishedAt === undefined ? {} : { finishedAt }),
      ...(weight === undefined ? {} : { weight }),
      source: textAt(part.source, at),
      trust: trustNamed(textAt(part.trust, at)),
      ...(sessionId === undefined ? {} : { sessionId }),
      fingerprint: itemAt(part.fingerprint, at),
      tokens: itemAt(part.tokens, at),
      tier: tierNamed(textAt(part.tier, at)),
    };
  });
}

/** The items in the body of a part. Throws: `CTX_STORE_CORRUPT`. */
export function decodePart(body: string): ManifestItem[] {
  try {
    return itemsOf(storedPart.parse(JSON.parse(body)));
  } catch (cause) {
    throw new CtxError('CTX_STORE_CORRUPT', 'a part of a manifest cannot be read', { cause });
  }
}
