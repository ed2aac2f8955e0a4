import { copyPlain } from './copy-plain.ts';
import { beginObject, type Shell } from './encode-object.ts';
import { describe, describeProblem, encodeScalar } from './encode-scalar.ts';
import { type EncodedValue, isContainer, setOwn } from './encoded-value.ts';
import { flattenIfNeeded } from './flatten.ts';

/** Limits on what is read of a value. */
export interface EncodeOptions {
  /** Maximum number of values over all levels; the rest is left out. Guards against values that grow while they are read. Default 10,000,000. */
  readonly maxValues?: number;
}

const defaultMaxValues = 10_000_000;

interface Work {
  /** The container of each object visited so far; a second visit returns the same one. */
  readonly made: Map<object, EncodedValue>;
  readonly open: Shell[];
  readonly maxValues: number;
  values: number;
}

/**
 * Turns any value into plain JSON data that `decodeValue` turns back.
 *
 * Keeps JSON values (unchanged, so that stored files stay readable), undefined, NaN, ±Infinity, −0, BigInt, Date, Map, Set,
 * Error (name, message, stack, cause, own properties), RegExp, URL, ArrayBuffer, typed arrays, Buffer, array holes, cycles.
 * Describes, and never rebuilds, functions, symbols, class instances (by `toJSON` if they have one, otherwise by their own
 * properties) and anything that cannot be read. Boxed primitives become the primitive. Symbol keys are left out.
 *
 * Never throws, whatever getters, proxies and `toJSON` do. The result is nested at most 200 deep; deeper and cyclic values
 * become a flat table. `decodeValue(encodeValue(v))` equals `v` for every JSON value, even if it looks like a tag.
 */
export function encodeValue(value: unknown, options: EncodeOptions = {}): EncodedValue {
  const plain = options.maxValues === undefined ? copyPlain(value) : undefined;
  return plain === undefined ? encodeAny(value, options) : plain;
}

/** Encodes anything that is not plain JSON data, or that is large. */
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
  // What holds no other container is copied in one step: a list may be long.
  let made: EncodedValue | undefined = copyPlain(source, work.maxValues - work.values, 2);
  if (made !== undefined && isContainer(made)) {
    work.values += Object.keys(made).length;
    work.made.set(source, made);
    return made;
  }
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
