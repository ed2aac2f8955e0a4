import { CtxError } from '@ctx/core';
import type { AgentFact, ContextStore } from '@ctx/store';
import { type Embedder, nameOfEmbedder, readVector } from './embedder.ts';

/** Facts of one owner that are compared with a query: those that changed last. */
const mostVectors = 100_000;

/** Facts of one page. */
const pageSize = 1000;

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

/** Reads an owner's facts, last changed first, until one is known as it is. */
async function refresh(
  { facts }: ContextStore,
  { owner, entries, model }: { owner: string; entries: Map<string, Entry>; model: string },
): Promise<void> {
  let after: string | undefined;
  for (let read = 0; read < mostVectors; read += pageSize) {
    const place = after === undefined ? {} : { after };
    const page = await facts.list({ agentId: owner, limit: pageSize, ...place });
    for (const fact of page.entries) {
      if (entries.get(fact.id)?.changedAt === fact.updatedAt) return;
      entries.set(fact.id, entryOf(fact, model));
    }
    after = page.next;
    if (after === undefined) return;
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
    `${count} facts have vectors of ${stored} dimensions of another embedder, the query has ${given}: call memory.reembed()`,
  );
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
      const hits: { id: string; cosine: number }[] = [];
      for (const [id, { vector }] of entries) {
        if (vector?.length !== query.length) continue;
        hits.push({ id, cosine: cosineOf(vector, query) });
      }
      return hits.sort((a, b) => b.cosine - a.cosine).slice(0, limit);
    },
    clear: () => {
      owners.clear();
    },
  };
}
