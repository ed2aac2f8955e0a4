import { encodeValue } from './encode-value.ts';
import { type EncodedValue, isContainer, tagKey } from './encoded-value.ts';

/**
 * Returns a tool's result as the model reads it: a string as it is, text blocks (`{ type: 'text', text }`) line by line,
 * `undefined` as nothing, everything else as JSON indented by two spaces. Never throws, and returns the same text before and
 * after the result was stored.
 */
export function outputText(result: unknown): string {
  return outputTextOfEncoded(encodeValue(result));
}

/** Does the same for a result that is already encoded. */
export function outputTextOfEncoded(encoded: EncodedValue): string {
  if (typeof encoded === 'string') return encoded;
  return textOfBlocks(encoded) ?? (isUndefined(encoded) ? '' : prettyJson(encoded));
}

function isUndefined(encoded: EncodedValue): boolean {
  return isContainer(encoded) && !Array.isArray(encoded) && encoded[tagKey] === 'undefined';
}

function textOfBlocks(encoded: EncodedValue): string | undefined {
  if (!Array.isArray(encoded) || encoded.length === 0) return undefined;
  const texts: string[] = [];
  for (const block of encoded) {
    if (typeof block !== 'object' || block === null || Array.isArray(block)) return undefined;
    if (block['type'] !== 'text' || typeof block['text'] !== 'string') return undefined;
    texts.push(block['text']);
  }
  return texts.join('\n');
}

function prettyJson(encoded: EncodedValue): string {
  try {
    return JSON.stringify(encoded, null, 2);
  } catch {
    return '[a result too large for one text]';
  }
}
