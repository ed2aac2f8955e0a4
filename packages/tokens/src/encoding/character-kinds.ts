/** Bits of {@link charKinds}: what a UTF-16 unit may be part of, in the patterns of o200k_base and cl100k_base. */
export const letterKind = 1;
/** See {@link letterKind}. Line ends count as signs too: the patterns let them follow a run of signs. */
export const symbolKind = 2;
/** See {@link letterKind}. */
export const spaceKind = 4;

/** Letters that every Unicode table of the last twenty years calls letters. */
const longKnownLetter: RegExp =
  /[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0391-\u03a1\u03a3-\u03ff\u0400-\u0481\u048a-\u052f\u05d0-\u05ea\u0620-\u064a\u0904-\u0939\u0e01-\u0e30\u3041-\u3096\u30a1-\u30fa\u30fc-\u30fe\u3400-\u4db5\u4e00-\u9fa5\uac00-\ud7a3]/u;

function kindOfAscii(unit: string): number {
  if (/[A-Za-z]/.test(unit)) return letterKind;
  if (/[0-9]/.test(unit)) return 0;
  if (unit === '\r' || unit === '\n') return symbolKind | spaceKind;
  return /\s/.test(unit) ? spaceKind : symbolKind;
}

/**
 * Marks count as letters and signs at once, since the patterns take them as both; so do halves of surrogate pairs,
 * digits outside of ASCII and all that this Unicode table may know better or worse than the tokenizer's.
 */
function kindOf(unit: string, code: number): number {
  if (code < 0x80) return kindOfAscii(unit);
  if (/\s/u.test(unit)) return spaceKind | symbolKind;
  if (longKnownLetter.test(unit)) return letterKind;
  return /[\p{P}\p{S}]/u.test(unit) ? symbolKind : letterKind | symbolKind;
}

let table: Uint8Array | undefined;

/**
 * Kinds of all 65,536 UTF-16 units.
 * A superset. Units that the tokenizer may join into one piece share a bit; more may share one.
 * Takes about 10 ms at the first call, and keeps 64 KiB.
 */
export function charKinds(): Uint8Array {
  table ??= Uint8Array.from({ length: 0x10000 }, (_, code) =>
    kindOf(String.fromCharCode(code), code),
  );
  return table;
}
