import { CtxError } from '@ctx/core';
import type { AgentFact, ContextStore } from '@ctx/store';
import { factsOfOwner } from '../facts-of-owner.ts';
import { type Embedder, nameOfEmbedder, readVector } from './embedder.ts';

/** Facts of one owner that are compared with a query: those that changed last. */
const mostVectors = 100_000;

interface Entry {
  readonly changedAt: number;
  /** Missing: the fact has none, or one of another model. */
  readonly vector?: Float32Array;
  readonly foreign?: number;
}

/** The vectors of the facts in a store, held in this process and brought up to date before each search. */
export interface VectorIndex {
  /**
   * The facts that are closest to a vector of length 1, with the cosine, best first. Exact: each vector is compared.
   * Throws: `CTX_INVALID_INPUT` if facts have vectors of another model or dimension only.
   */
  nearest(
    owner: string,
    query: Float32Array,
    limit: number,
  ): Promise<readonly { readonly id: string; readonly cosine: number }[]>;
  /** Reads everything again with the next search. */
  clear(): void;
}

/** Facts in a row that are known as they are before the reading ends: facts of one moment have no order, and clocks differ. */
const overlap = 64;

/** Reads an owner's facts, last changed first, until enough of them are known as they are. */
async function refresh(
  store: ContextStore,
  { owner, entries, model }: { owner: string; entries: Map<string, Entry>; model: string },
): Promise<void> {
  let known = 0;
  for await (const fact of factsOfOwner(store, owner, mostVectors)) {
    const isKnown = entries.get(fact.id)?.changedAt === fact.updatedAt;
    known = isKnown ? known + 1 : 0;
    if (known === overlap) return;
    if (!isKnown) entries.set(fact.id, entryOf(fact, model));
  }
}

function entryOf({ updatedAt: changedAt, detail }: AgentFact, model: string): Entry {
  const stored = detail?.vector;
  if (stored === undefined) return { changedAt };
  const vector = readVector(stored);
  return stored.model === model ? { changedAt, vector } : { changedAt, foreign: vector.length };
}

function cosineOf(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

function checkDimensions(entries: Map<string, Entry>, query: Float32Array): void {
  let [same, others] = [0, 0];
  let size = 0;
  for (const { vector, foreign } of entries.values()) {
    const length = vector?.length ?? foreign;
    if (length === undefined) continue;
    if (vector?.length === query.length) same += 1;
    else [others, size] = [others + 1, length];
  }
  if (others <= same) return;
  const [count, stored, given] = [others, size, query.length].map(String);
  throw new CtxError(
    'CTX_INVALID_INPUT',
    `${count} facts have vectors of ${stored} dimensions of another embedder, the query has ${given}: call memory.reembed(), or run ctx memory embed --embedder <module>`,
  );
}

interface Near {
  readonly id: string;
  readonly cosine: number;
}

/** The best of all, without a list of all. */
function closest(entries: Map<string, Entry>, query: Float32Array, limit: number): Near[] {
  let hits: Near[] = [];
  let least = -Infinity;
  const keepBest = (): void => {
    hits = hits.sort((a, b) => b.cosine - a.cosine).slice(0, limit);
    least = hits.length < limit ? least : (hits.at(-1)?.cosine ?? least);
  };
  for (const [id, { vector }] of entries) {
    if (vector?.length !== query.length) continue;
    const cosine = cosineOf(vector, query);
    if (cosine <= least) continue;
    hits.push({ id, cosine });
    if (hits.length >= 4 * limit) keepBest();
  }
  keepBest();
  return hits;
}

/** Makes an empty index. */
export function vectorIndex(store: ContextStore, embedder: Embedder): VectorIndex {
  const model = nameOfEmbedder(embedder);
  const owners = new Map<string, Map<string, Entry>>();
  return {
    nearest: async (owner, query, limit) => {
      const entries = owners.get(owner) ?? new Map<string, Entry>();
      await refresh(store, { owner, entries, model });
      owners.set(owner, entries);
      checkDimensions(entries, query);
      return closest(entries, query, limit);
    },
    clear: () => {
      owners.clear();
    },
  };
}
