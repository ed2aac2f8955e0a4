import type { Tier, Trust } from '@ctx/core';
import { CtxError } from '@ctx/core';
import * as z from 'zod';
import type { ManifestItem } from '../checkpoint.ts';

/** Texts that repeat: each once, and which one each item has. */
export interface Repeated {
  readonly values: readonly string[];
  readonly at: readonly number[];
}

/** A part of a manifest as it is stored: a list for each member, in the order of the items. */
export interface StoredPart {
  readonly id: readonly string[];
  readonly fingerprint: readonly string[];
  readonly rank: readonly number[];
  readonly tokens: readonly number[];
  readonly accesses: readonly number[];
  readonly created: readonly number[];
  /** ms after `created`, as the two below. */
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
  /** Items that a purge took out: how many is all that is left of them. Missing: none. */
  readonly purged?: number;
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
  purged: z.number().exactOptional(),
});

function trustNamed(text: string | undefined): Trust {
  return text === 'trusted' || text === 'derived' ? text : 'untrusted';
}

function tierNamed(text: string | undefined): Tier {
  return text === 'hot' || text === 'warm' ? text : 'cold';
}

/** Gives the value at a place; throws where a list of the part is too short. */
export function itemAt<T>(values: readonly T[], at: number): T {
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

/** What a part holds, or all parts of a manifest. */
export interface ManifestContents {
  /** Most important first. */
  readonly items: readonly ManifestItem[];
  /** How many it held that were purged since. */
  readonly purged: number;
}

function corrupt(cause: unknown): CtxError {
  return new CtxError('CTX_STORE_CORRUPT', 'a part of a manifest cannot be read', { cause });
}

/**
 * What stands in the body of a part, list by list.
 * @throws `CTX_STORE_CORRUPT`.
 */
export function readPart(body: string): StoredPart {
  try {
    return storedPart.parse(JSON.parse(body));
  } catch (cause) {
    throw corrupt(cause);
  }
}

/**
 * What the body of a part holds.
 * @throws `CTX_STORE_CORRUPT`.
 */
export function decodePart(body: string): ManifestContents {
  const part = readPart(body);
  try {
    return { items: itemsOf(part), purged: part.purged ?? 0 };
  } catch (cause) {
    throw corrupt(cause);
  }
}
