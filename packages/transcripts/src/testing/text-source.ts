/** Bytes of a text. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Text of bytes. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** The bytes in chunks of a size. */
export async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size)
    yield bytes.subarray(start, start + size);
}

/** All items of a source. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** The options of the cutters without a listener. */
export const quiet: {
  readonly maxRecordBytes: number;
  readonly progress: () => void;
  readonly buffered: () => void;
} = { maxRecordBytes: 1_000_000, progress: () => undefined, buffered: () => undefined };
