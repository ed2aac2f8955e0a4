import { encodeValue } from './encode-value.ts';
import { type EncodedValue, isContainer, tagKey } from './encoded-value.ts';

/**
 * Gives the text of a tool's result as a model would read it: a string as it is, text blocks (`{ type: 'text', text }`)
 * one below the other, `undefined` as nothing, everything else as JSON with two spaces (what JSON has no form for, encoded).
 * Contract: never throws; the same before and after the result was stored.
 */
export function outputText(result: unknown): string {
  return outputTextOfEncoded(encodeValue(result));
}

/** The same for a result that is encoded already. */
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
