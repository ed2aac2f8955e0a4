/// <reference lib="es2024.string" />

/** Begins an escape of four hexadecimal digits. */
const escapeCharacter = '\u241b';

/**
 * Turns any string into well-formed Unicode without U+0000, which every store can hold. Ordinary text stays as it is; a lone
 * surrogate, U+0000 and the escape character itself become `␛` and four hexadecimal digits. `decodeText` reverses it. Different
 * strings have different encodings.
 */
export function encodeText(text: string): string {
  if (text.isWellFormed() && !text.includes('\0') && !text.includes(escapeCharacter)) return text;
  return text.replace(/[\0\u241b\p{Surrogate}]/gu, (character) => {
    return escapeCharacter + character.charCodeAt(0).toString(16).padStart(4, '0');
  });
}

/** Reverses `encodeText`. Leaves escapes that it never writes as they are. */
export function decodeText(text: string): string {
  if (!text.includes(escapeCharacter)) return text;
  return text.replace(/\u241b(0000|241b|d[89a-f][0-9a-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(parseInt(digits, 16)),
  );
}
