/// <reference lib="es2024.string" />

/** The picture of the escape sign: begins an escape of four hexadecimal digits. */
export const escapeSign = '\u241b';

/**
 * Turns any string into well-formed Unicode without U+0000, which every store can hold. Ordinary text stays as it is; a lone
 * surrogate, U+0000 and the escape sign itself become `␛` and four hexadecimal digits. `decodeText` turns it back.
 * Contract: different strings give different texts.
 */
export function encodeText(text: string): string {
  if (text.isWellFormed() && !text.includes('\0') && !text.includes(escapeSign)) return text;
  return text.replace(/[\0\u241b\p{Surrogate}]/gu, (sign) => {
    return escapeSign + sign.charCodeAt(0).toString(16).padStart(4, '0');
  });
}

/**
 * Tells whether a text holds no lone surrogate.
 * Cost: linear; a tenth of what a pattern for lone surrogates costs where a text has signs beyond Latin-1.
 */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

/** Gives back what `encodeText` was given. An escape that it never writes stays as it is. */
export function decodeText(text: string): string {
  if (!text.includes(escapeSign)) return text;
  return text.replace(/\u241b(0000|241b|d[89a-f][0-9a-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(parseInt(digits, 16)),
  );
}
