/** Characters encoded in one step. */
const stepCharacters = 16_384;

const encoder = new TextEncoder();
/** Every UTF-16 code unit becomes three bytes at most. What is written here is never read. */
const scratch: Uint8Array = new Uint8Array(stepCharacters * 3);

/**
 * Gives how many bytes a text has in UTF-8; a lone surrogate counts as U+FFFD, which is what an encoder writes.
 * Cost: linear, without a copy of the text as large as itself.
 */
export function utf8Length(text: string): number {
  let bytes = 0;
  let from = 0;
  while (from < text.length) {
    const end = endOfStep(text, from);
    bytes += encoder.encodeInto(text.slice(from, end), scratch).written;
    from = end;
  }
  return bytes;
}

/** A step never ends between the halves of a pair: each would count as a lone surrogate. */
function endOfStep(text: string, from: number): number {
  const end = from + stepCharacters;
  if (end >= text.length) return text.length;
  const isHigh = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isHigh ? end - 1 : end;
}
