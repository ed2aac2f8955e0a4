/** A part of a text in UTF-8, which is read twice as fast as the text itself. A lone surrogate stands in it as U+FFFD. */
export interface TextChunk {
  /** Ends with the chunk. */
  readonly bytes: Uint8Array;
  /** Whether the text ends here. Else the last run may go on, and belongs to the next chunk. */
  readonly isLast: boolean;
}

/** Characters of a chunk, unless one run is longer. */
const chunkCharacters = 16_384;

const encoder = new TextEncoder();
/** Every UTF-16 code unit becomes three bytes at most. What is written here is read before the next chunk is. */
const scratch: Uint8Array = new Uint8Array(chunkCharacters * 3);

/** A chunk never ends between the halves of a pair: each would count as a lone surrogate. */
function endOfChunk(text: string, from: number, characters: number): number {
  const end = from + characters;
  if (end >= text.length) return text.length;
  return (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end + 1 : end;
}

/** UTF-16 code units of the signs in UTF-8. */
function unitsOf(bytes: Uint8Array): number {
  let units = 0;
  for (const byte of bytes) {
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

/**
 * Walks through a text chunk by chunk. `read` gives how many bytes of a chunk it has read: what is left comes again, with more
 * behind it. Cost: linear; memory for the longest run that is left.
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
