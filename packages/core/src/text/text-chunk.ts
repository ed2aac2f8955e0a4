/** Part of a text in UTF-8, which reads twice as fast as the text itself. A lone surrogate appears as U+FFFD. */
export interface TextChunk {
  /** Ends with the chunk. */
  readonly bytes: Uint8Array;
  /** Whether the text ends here. Otherwise the last run may continue and belongs to the next chunk. */
  readonly isLast: boolean;
}

/** Characters of a chunk, unless one run is longer. */
const chunkCharacters = 16_384;

const encoder = new TextEncoder();
/** A UTF-16 code unit becomes at most three bytes. Each chunk is read before the next one is written here. */
const scratch: Uint8Array = new Uint8Array(chunkCharacters * 3);

/** Never ends a chunk between the halves of a surrogate pair. */
function endOfChunk(text: string, from: number, characters: number): number {
  const end = from + characters;
  if (end >= text.length) return text.length;
  return (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end + 1 : end;
}

/** Counts the UTF-16 code units of UTF-8 bytes. */
function unitsOf(bytes: Uint8Array): number {
  let units = 0;
  for (const byte of bytes) {
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

/**
 * Walks through a text chunk by chunk. `read` returns how many bytes it consumed; the rest comes again at the start of the
 * next chunk. Memory grows with the longest unconsumed run only.
 */
export function readChunks(text: string, read: (chunk: TextChunk) => number): void {
  let characters = chunkCharacters;
  for (let from = 0; from < text.length; ) {
    const end = endOfChunk(text, from, characters);
    const part = text.slice(from, end);
    const room = part.length * 3 <= scratch.length ? scratch : new Uint8Array(part.length * 3);
    const bytes = room.subarray(0, encoder.encodeInto(part, room).written);
    const done = read({ bytes, isLast: end === text.length });
    from = end - unitsOf(bytes.subarray(done));
    characters = done === 0 ? characters * 2 : chunkCharacters;
  }
}
