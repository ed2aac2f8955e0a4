/** Vectors of one size, one after the other in few blocks, so that a search runs through memory and nothing else. */
export interface PackedVectors {
  /** How many there are. */
  readonly count: () => number;
  /** Keeps a vector that a store wrote: 32-bit floats in base64. Takes the place of the one with that id. */
  put(id: string, values: string): void;
  remove(id: string): void;
  /** The vectors of length 1 that are closest to another of length 1, with the cosine, best first. Exact: each is compared. */
  closest(query: Float32Array, limit: number): Near[];
}

/** A vector that is close to a query. */
export interface Near {
  readonly id: string;
  readonly cosine: number;
}

/** Numbers of one block, 1.5 MB: 1,024 vectors of 384 dimensions, or one that is longer than a block. */
const blockNumbers = 1024 * 384;

const isBigEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 0;

/** Numbers of a vector as a store keeps it. */
export function sizeOfValues(values: string): number {
  return Buffer.byteLength(values, 'base64') >> 2;
}

/** Adds up with doubles, which JavaScript is fastest with, in two sums that do not wait for each other. */
function cosineOf(block: Float32Array, from: number, query: Float64Array): number {
  let [even, odd] = [0, 0];
  for (let at = 0; at + 1 < query.length; at += 2) {
    even += (block[from + at] ?? 0) * (query[at] ?? 0);
    odd += (block[from + at + 1] ?? 0) * (query[at + 1] ?? 0);
  }
  if (query.length % 2 === 0) return even + odd;
  return even + odd + (block[from + query.length - 1] ?? 0) * (query.at(-1) ?? 0);
}

/** Keeps the best of many, without a list of all. */
function bestOf(limit: number) {
  let hits: Near[] = [];
  let least = -Infinity;
  const sorted = (): Near[] => {
    hits = hits.sort((a, b) => b.cosine - a.cosine).slice(0, limit);
    least = hits.length < limit ? least : (hits.at(-1)?.cosine ?? least);
    return hits;
  };
  const offer = (id: string, cosine: number): void => {
    if (cosine <= least) return;
    hits.push({ id, cosine });
    if (hits.length >= 4 * limit) sorted();
  };
  return { offer, sorted };
}

/** Makes room for vectors of so many numbers. Takes 4 bytes for each number. */
export function packedVectors(size: number): PackedVectors {
  const blockRows = Math.max(1, Math.floor(blockNumbers / Math.max(1, size)));
  const blocks: Float32Array[] = [];
  const ids: string[] = [];
  const rows = new Map<string, number>();
  const placeOf = (row: number): [Float32Array, number] => {
    const index = Math.floor(row / blockRows);
    const block = (blocks[index] ??= new Float32Array(blockRows * size));
    return [block, (row % blockRows) * size];
  };
  const put = (id: string, values: string): void => {
    const row = rows.get(id) ?? ids.length;
    const [block, from] = placeOf(row);
    const bytes = Buffer.from(block.buffer, from * 4, size * 4);
    bytes.write(values, 'base64');
    if (isBigEndian) bytes.swap32();
    ids[row] = id;
    rows.set(id, row);
  };
  /** The last one moves to where it was. */
  const remove = (id: string): void => {
    const row = rows.get(id);
    if (row === undefined) return;
    rows.delete(id);
    const [block, from] = placeOf(ids.length - 1);
    const last = block.subarray(from, from + size);
    const [target, at] = placeOf(row);
    target.set(last, at);
    last.fill(0);
    const moved = ids.pop();
    if (moved === undefined || moved === id) return;
    ids[row] = moved;
    rows.set(moved, row);
  };
  const closest = (query: Float32Array, limit: number): Near[] => {
    const wanted = Float64Array.from(query);
    const best = bestOf(limit);
    for (const [row, id] of ids.entries()) {
      const [block, from] = placeOf(row);
      best.offer(id, cosineOf(block, from, wanted));
    }
    return best.sorted();
  };
  return { count: () => ids.length, put, remove, closest };
}
