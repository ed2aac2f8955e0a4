import { CtxError } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import { factsOfOwner } from '../facts-of-owner.ts';
import { type Embedder, type FactVector, nameOfEmbedder } from './embedder.ts';
import { type Near, type PackedVectors, packedVectors, sizeOfValues } from './packed-vectors.ts';

/** Facts of one owner that are compared with a query: those that changed last. */
const mostVectors = 100_000;

/** The vectors of the facts in a store, held in this process and brought up to date before each search. */
export interface VectorIndex {
  /**
   * The facts that are closest to a vector of length 1, with the cosine, best first. Exact: each vector is compared.
   * @throws `CTX_INVALID_INPUT` if most facts have vectors of another model or dimension.
   */
  nearest(owner: string, query: Float32Array, limit: number): Promise<readonly Near[]>;
  /** Destroys what is held of a fact that is gone. */
  forget(owner: string, id: string): void;
  /** Reads everything again with the next search. */
  clear(): void;
}

/** Facts in a row that are known as they are before the reading ends: facts of one moment have no order, and clocks differ. */
const overlap = 64;

/** A fact as it was read: `size` is 0 without a vector, and below 0 for one of another model. */
interface Known {
  readonly changedAt: number;
  readonly size: number;
}

/** What is held of one owner's facts. */
interface OwnerVectors {
  readonly known: Map<string, Known>;
  readonly packed: Map<number, PackedVectors>;
  isLoaded: boolean;
  /** The reading that is under way, or the last one. */
  reading: Promise<void>;
}

interface ReadFact {
  readonly id: string;
  readonly updatedAt: number;
  readonly vector?: FactVector;
}

const emptyOwner = (): OwnerVectors => ({
  ...{ known: new Map(), packed: new Map() },
  ...{ isLoaded: false, reading: Promise.resolve() },
});

function drop({ known, packed }: OwnerVectors, id: string): void {
  packed.get(known.get(id)?.size ?? 0)?.remove(id);
  known.delete(id);
}

function take(held: OwnerVectors, { id, updatedAt: changedAt, vector }: ReadFact, model: string) {
  const { known, packed } = held;
  const values = vector?.values ?? '';
  const length = sizeOfValues(values);
  const size = vector?.model === model ? length : -length;
  if (known.get(id)?.size !== size) drop(held, id);
  known.set(id, { changedAt, size });
  if (size <= 0) return;
  const pack = packed.get(size) ?? packedVectors(size);
  packed.set(size, pack);
  pack.put(id, values);
}

/** Reads what changed, last changed first, until enough facts are known as they are. */
async function readChanges(
  store: ContextStore,
  owner: string,
  { held, model }: { held: OwnerVectors; model: string },
): Promise<void> {
  let inRow = 0;
  for await (const { id, updatedAt, detail } of factsOfOwner(store, owner, mostVectors)) {
    const isKnown = held.known.get(id)?.changedAt === updatedAt;
    inRow = isKnown ? inRow + 1 : 0;
    if (inRow === overlap) return;
    const vector = detail?.vector;
    if (!isKnown) take(held, { id, updatedAt, ...(vector === undefined ? {} : { vector }) }, model);
  }
}

function checkDimensions({ known, packed }: OwnerVectors, query: Float32Array): void {
  const same = packed.get(query.length)?.count() ?? 0;
  let [others, other] = [0, 0];
  for (const { size } of known.values()) {
    if (size === 0 || size === query.length) continue;
    [others, other] = [others + 1, Math.abs(size)];
  }
  if (others <= same) return;
  const [count, stored, given] = [others, other, query.length].map(String);
  throw new CtxError(
    'CTX_INVALID_INPUT',
    `${count} facts have vectors of ${stored} dimensions of another embedder, the query has ${given}: call memory.reembed(), or run ctx memory embed --embedder <module>`,
  );
}

/** Makes an empty index. */
export function vectorIndex(store: ContextStore, embedder: Embedder): VectorIndex {
  const model = nameOfEmbedder(embedder);
  const owners = new Map<string, OwnerVectors>();
  const read = async (owner: string, held: OwnerVectors): Promise<void> => {
    if (held.isLoaded) return readChanges(store, owner, { held, model });
    await store.facts.eachVector(owner, mostVectors, (fact) => {
      take(held, fact, model);
    });
    held.isLoaded = true;
  };
  /** One after the other; what was read in part is read again as a whole. */
  const refresh = (owner: string): Promise<OwnerVectors> => {
    const held = owners.get(owner) ?? emptyOwner();
    owners.set(owner, held);
    held.reading = held.reading.then(() => read(owner, held));
    return held.reading.then(
      () => held,
      (error: unknown) => {
        if (owners.get(owner) === held) owners.delete(owner);
        throw error;
      },
    );
  };
  return {
    nearest: async (owner, query, limit) => {
      const held = await refresh(owner);
      checkDimensions(held, query);
      return held.packed.get(query.length)?.closest(query, limit) ?? [];
    },
    forget: (owner, id) => {
      const held = owners.get(owner);
      if (held !== undefined) drop(held, id);
    },
    clear: () => {
      owners.clear();
    },
  };
}
