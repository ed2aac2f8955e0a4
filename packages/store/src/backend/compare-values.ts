import type { ColumnValue, RecordKey } from './store-backend.ts';

const firstSurrogate = 0xd800;
const lastSurrogate = 0xdfff;

/** UTF-16 puts astral characters (two surrogates) before U+E000…U+FFFF; code points put them last. */
function codePointRank(unit: number): number {
  return unit >= firstSurrogate && unit <= lastSurrogate ? unit + 0x10000 : unit;
}

/**
 * Orders text by code point, which is also the order of its UTF-8 bytes.
 * Negative, 0 or positive as in `Array.sort`. Makes one pass over the common start.
 */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at++) {
    const difference = codePointRank(left.charCodeAt(at)) - codePointRank(right.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function typeRank(value: ColumnValue): number {
  if (value === null) return 0;
  return typeof value === 'number' ? 1 : 2;
}

/** Orders promoted values as indexes do: null first, then numbers by value, then text by code point. */
export function compareValues(left: ColumnValue, right: ColumnValue): number {
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  if (typeof left === 'number' && typeof right === 'number') {
    return left < right ? -1 : Number(left > right);
  }
  return typeRank(left) - typeRank(right);
}

/** Orders lists of values field by field; a list that is the start of another comes first. */
export function compareValueLists(
  left: readonly ColumnValue[],
  right: readonly ColumnValue[],
): number {
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at++) {
    const difference = compareValues(left[at] ?? null, right[at] ?? null);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Orders keys part by part. */
export function compareKeys(left: RecordKey, right: RecordKey): number {
  return compareValueLists(left, right);
}
