import type { BadReason } from '../transcript.ts';

/** A parsed record, or why it could not be parsed. */
export type ParsedRecord =
  | { readonly value: unknown; readonly bad?: undefined }
  | { readonly bad: BadReason; readonly value?: undefined };

/** Keeps no state between whole texts. Making one takes longer than decoding a short record. */
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses the bytes of one JSON value. Never throws. */
export function readValue(bytes: Uint8Array): ParsedRecord {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { bad: 'bad-utf8' };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { bad: 'not-json' };
  }
}
