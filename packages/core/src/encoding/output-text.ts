import { decodeValue, mayHoldTags } from './decode-value.ts';
import { encodeValue } from './encode-value.ts';
import { type EncodedValue, isContainer, tagKey } from './encoded-value.ts';

/**
 * Returns a tool's result as the model reads it: a string as it is, text blocks (`{ type: 'text', text }`) line by line,
 * `undefined` as nothing, everything else as `JSON.stringify` shows it, indented by two spaces; what that refuses is shown as text (a
 * BigInt) or in its encoded form (a cycle). Never throws, and returns the same text before and after the result was stored.
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
    const text = JSON.stringify(encoded, null, 2);
    return mayHoldTags(text) ? (shownJson(encoded, 2) ?? text) : text;
  } catch {
    return '[a result too large for one text]';
  }
}

/**
 * Returns a value as one line of JSON, as `JSON.stringify` shows it. Never throws: what JSON cannot express is shown as in
 * {@link outputText}.
 */
export function jsonLine(value: unknown): string {
  const encoded = encodeValue(value);
  const text = JSON.stringify(encoded);
  return mayHoldTags(text) ? (shownJson(encoded) ?? text) : text;
}

/** Returns `undefined` if the value refers to itself, or is nothing. */
function shownJson(encoded: EncodedValue, indent?: number): string | undefined {
  try {
    return JSON.stringify(decodeValue(encoded), shownMember, indent);
  } catch {
    return undefined;
  }
}

function shownMember(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Error)
    return Object.assign({ name: value.name, message: value.message }, value);
  if (typeof value !== 'object' || value === null) return value;
  return isDescription(value) ? shownDescription(value) : value;
}

/** Returns whether an object is a description as the encoder makes them: content that only has the tag is shown as it is. */
function isDescription(value: object): boolean {
  if (Reflect.get(value, tagKey) !== 'described') return false;
  const { type, text, ...others } = value as Readonly<Record<string, unknown>>;
  const members = Object.keys(others).filter((key) => key !== tagKey);
  if (type === 'instance')
    return text === undefined && members.every((key) => /^(class|problem|value)$/.test(key));
  const start = type === 'function' ? 'function' : type === 'symbol' ? 'Symbol(' : '';
  return members.length === 0 && typeof text === 'string' && text.startsWith(start);
}

/** An instance is shown by what was kept of it, what could not be read by the reason, and functions are left out. */
function shownDescription(description: object): unknown {
  if ('value' in description) return description.value;
  const { type, text } = description as { readonly type?: unknown; readonly text?: unknown };
  return type === 'function' || type === 'symbol' ? undefined : text;
}
