/** What is known of a call whose id was used once. */
export interface FirstUse {
  /** Hash of the record that holds it; 0 if none does: an id that was given away. */
  readonly user: number;
  /** Hash of its response. */
  readonly response: number;
  /** Hash of the record that answers it; 0 while none does. */
  readonly answeredBy: number;
}

/** The newest calls by the hash of their id. Holds numbers only: a log of millions of calls leaves no garbage. */
export interface CallTable {
  readonly get: (id: number) => FirstUse | undefined;
  readonly put: (id: number, use: FirstUse) => void;
}

/** Calls of a generation: at least so many of the newest are remembered, and at most twice as many. */
export const callsOfGeneration = 50_000;

interface Generation {
  /** Hashes of ids; 0 where a slot is free. Its length is a power of two. */
  readonly ids: Float64Array;
  /** User, response and answer of each. */
  readonly facts: Float64Array;
  count: number;
}

const firstSlots = 64;

function beginGeneration(slots: number = firstSlots): Generation {
  return { ids: new Float64Array(slots), facts: new Float64Array(3 * slots), count: 0 };
}

/** The slot of an id, or the free one that it would get. */
function slotOf({ ids }: Generation, id: number): number {
  const mask = ids.length - 1;
  let slot = id & mask;
  while (ids[slot] !== 0 && ids[slot] !== id) slot = (slot + 1) & mask;
  return slot;
}

function useIn(generation: Generation, id: number): FirstUse | undefined {
  const { ids, facts } = generation;
  const slot = slotOf(generation, id);
  if (ids[slot] !== id) return undefined;
  const at = 3 * slot;
  return { user: facts[at] ?? 0, response: facts[at + 1] ?? 0, answeredBy: facts[at + 2] ?? 0 };
}

function putInto(generation: Generation, id: number, use: FirstUse): void {
  const { ids, facts } = generation;
  const slot = slotOf(generation, id);
  if (ids[slot] !== id) generation.count += 1;
  ids[slot] = id;
  const at = 3 * slot;
  facts[at] = use.user;
  facts[at + 1] = use.response;
  facts[at + 2] = use.answeredBy;
}

/** The same with room for twice as many. */
function grown(generation: Generation): Generation {
  const larger = beginGeneration(2 * generation.ids.length);
  for (const id of generation.ids) {
    const use = id === 0 ? undefined : useIn(generation, id);
    if (use !== undefined) putInto(larger, id, use);
  }
  return larger;
}

/** Starts with no calls. */
export function startCallTable(): CallTable {
  let young = beginGeneration();
  let old = beginGeneration();
  return {
    get: (id) => useIn(young, id) ?? useIn(old, id),
    put: (id, use) => {
      if (young.count >= callsOfGeneration) {
        old = young;
        young = beginGeneration();
      }
      if (2 * young.count >= young.ids.length) young = grown(young);
      putInto(young, id, use);
    },
  };
}

/** A hash of 53 bits, never 0. Not for secrets: who wants two ids to meet gets a suffix, no more. */
export function hashOf(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    high = Math.imul(high ^ sign, 2_654_435_761);
    low = Math.imul(low ^ sign, 1_597_334_677);
  }
  high =
    Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low =
    Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return 4_294_967_296 * (low & 0x1fffff) + (high >>> 0) || 1;
}
