import { joinBytes } from './byte-source.ts';

/** Gathers the bytes of one record across chunks. */
export interface ByteCollector {
  /** Bytes of the record so far, kept or not. */
  readonly length: () => number;
  /** Whether the record became longer than the cap; then its bytes are not kept. */
  readonly isOverCap: () => boolean;
  readonly add: (bytes: Uint8Array) => void;
  /** The record's bytes; empty where it is over the cap. The collector starts anew. */
  readonly take: () => Uint8Array;
}

/** Starts a collector that holds at most `maxBytes`. `buffered` is told how many bytes it holds. */
export function collectBytes(maxBytes: number, buffered: (bytes: number) => void): ByteCollector {
  let chunks: Uint8Array[] = [];
  let length = 0;
  return {
    length: () => length,
    isOverCap: () => length > maxBytes,
    add: (bytes) => {
      if (bytes.length === 0) return;
      length += bytes.length;
      if (length > maxBytes) chunks = [];
      else {
        chunks.push(bytes);
        buffered(length);
      }
    },
    take: () => {
      const bytes = joinBytes(chunks);
      chunks = [];
      length = 0;
      return bytes;
    },
  };
}
