import { copyPlain } from './copy-plain.ts';
import { beginObject, type Shell } from './encode-object.ts';
import { describe, describeProblem, encodeScalar } from './encode-scalar.ts';
import { type EncodedValue, setOwn } from './encoded-value.ts';
import { flattenIfNeeded } from './flatten.ts';

/** How much of a value is read. */
export interface EncodeOptions {
  /** Values of all levels together before the rest is left out: the guard against values that grow while being read. Default 10,000,000. */
  readonly maxValues?: number;
}

const defaultMaxValues = 10_000_000;

interface Work {
  /** What was made of each object met so far: a second visit gives the same container. */
  readonly made: Map<object, EncodedValue>;
  readonly open: Shell[];
  readonly maxValues: number;
  values: number;
}

/**
 * Turns any value into plain JSON data that `decodeValue` turns back.
 *
 * Kept: JSON values (as they are, so that stored files stay readable), undefined, NaN, ±Infinity, −0, BigInt, Date, Map, Set,
 * Error (name, message, stack, cause, own properties), RegExp, URL, ArrayBuffer, typed arrays, Buffer, array holes, cycles.
 * Described under the tag `described` and never rebuilt: functions, symbols, instances of classes (by `toJSON` where they
 * have it, else by their own properties), what cannot be read. Boxed primitives become the primitive. Symbol keys are left out.
 *
 * Contract: never throws, whatever getters, proxies and `toJSON` do; the result is at most 200 deep, else (and for cycles) a
 * flat table; `decodeValue(encodeValue(v))` equals `v` for every JSON value, also where it looks like a tag.
 * Cost: linear in the size of the value; depth costs no stack. Reads every property once, of what is no plain JSON data twice.
 */
export function encodeValue(value: unknown, options: EncodeOptions = {}): EncodedValue {
  const plain = options.maxValues === undefined ? copyPlain(value) : undefined;
  return plain === undefined ? encodeAny(value, options) : plain;
}

/** The way for what is no plain JSON data, or a lot of it. */
function encodeAny(value: unknown, options: EncodeOptions): EncodedValue {
  const work: Work = {
    made: new Map(),
    open: [],
    values: 0,
    maxValues: options.maxValues ?? defaultMaxValues,
  };
  const root = encodeChild(work, value);
  for (let shell = work.open.pop(); shell; shell = work.open.pop()) {
    for (const [key, child] of shell.children) setOwn(shell.inner, key, encodeChild(work, child));
  }
  return flattenIfNeeded(root);
}

function encodeChild(work: Work, value: unknown): EncodedValue {
  work.values += 1;
  if (work.values > work.maxValues)
    return describe('omitted', `more than ${String(work.maxValues)} values`);
  if (typeof value !== 'object' || value === null) return encodeScalar(value);
  return work.made.get(value) ?? encodeObject(work, value);
}

function encodeObject(work: Work, source: object): EncodedValue {
  let made: EncodedValue;
  try {
    const shell = beginObject(source, work.maxValues);
    if (shell.children.length > 0) work.open.push(shell);
    made = shell.outer;
  } catch (error) {
    made = describeProblem(error);
  }
  work.made.set(source, made);
  return made;
}
