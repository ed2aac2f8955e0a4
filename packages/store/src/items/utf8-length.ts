/** Characters encoded in one step. */
const stepCharacters = 16_384;

const encoder = new TextEncoder();
/** A UTF-16 code unit becomes at most three bytes. What is written here is never read. */
const scratch: Uint8Array = new Uint8Array(stepCharacters * 3);

/**
 * Returns the UTF-8 length of a text in bytes, without copying it. A lone surrogate counts as U+FFFD, as an encoder writes it.
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

/** Never ends a step between the halves of a surrogate pair. */
function endOfStep(text: string, from: number): number {
  const end = from + stepCharacters;
  if (end >= text.length) return text.length;
  const isHigh = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isHigh ? end - 1 : end;
}
