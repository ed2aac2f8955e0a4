/**
 * Bytes: all at once, or in chunks of any size. An empty chunk says that nothing more is there for now: readers that hold events
 * back until their record goes on give them out.
 */
export type ByteSource = Uint8Array | AsyncIterable<Uint8Array>;

const chunkBytes = 262_144;

/** The bytes in chunks: what is made of one chunk is held at once. */
export async function* chunksOf(input: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  if (!(input instanceof Uint8Array)) yield* input;
  else {
    for (let start = 0; start < input.length; start += chunkBytes) {
      yield input.subarray(start, start + chunkBytes);
    }
  }
}

/** The first bytes of an input, and the whole input again. */
export interface PeekedSource {
  readonly head: Uint8Array;
  /** Whether the head is the whole input. */
  readonly isWhole: boolean;
  /** Everything, the head included. Can be read once unless the input was given as bytes. */
  readonly input: ByteSource;
}

/** Reads at least `bytes` bytes ahead without losing them. */
export async function peekHead(input: ByteSource, bytes: number): Promise<PeekedSource> {
  if (input instanceof Uint8Array) {
    return { head: input.subarray(0, bytes), isWhole: input.length <= bytes, input };
  }
  const chunks = input[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let length = 0;
  let isWhole = false;
  while (length <= bytes && !isWhole) {
    const next = await chunks.next();
    if (next.done === true) isWhole = true;
    else {
      read.push(next.value);
      length += next.value.length;
    }
  }
  const head = joinBytes(read).subarray(0, bytes);
  return { head, isWhole: isWhole && length <= bytes, input: continueWith(read, chunks) };
}

async function* continueWith(
  read: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* read;
  try {
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      yield next.value;
    }
  } finally {
    await rest.return?.();
  }
}

/** Joins chunks. No copy where there is only one. */
export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const joined = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.length;
  }
  return joined;
}
