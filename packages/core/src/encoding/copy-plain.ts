import { type EncodedContainer, type EncodedValue, setOwn, tagKey } from './encoded-value.ts';

/** Deepest value that is copied here, so that the stack is never the limit. */
const maxDepth = 100;

/** What a value may weigh: each value counts 1, and text 1 for each 100 signs. Keeps shared objects from being written out again and again. */
const maxWeight = 10_000;
const charactersPerUnit = 100;

/** What may still be copied. */
interface Budget {
  left: number;
}

/**
 * Copies plain JSON data of common size, which is its own encoded form. `undefined` for everything else: what JSON has no form for,
 * what looks like a tag, what is deep, large, or leads back to itself.
 * Contract: never throws, whatever getters and proxies do; reads each property once. Cost: linear, at most 10,000 values.
 */
export function copyPlain(value: unknown): EncodedValue | undefined {
  try {
    return copyValue(value, { left: maxWeight }, maxDepth);
  } catch {
    return undefined;
  }
}

function copyValue(value: unknown, budget: Budget, depth: number): EncodedValue | undefined {
  budget.left -= typeof value === 'string' ? 1 + value.length / charactersPerUnit : 1;
  if (budget.left < 0 || depth === 0) return undefined;
  if (typeof value !== 'object' || value === null) return plainScalar(value);
  return Array.isArray(value)
    ? copyArray(value, budget, depth - 1)
    : copyObject(value, budget, depth - 1);
}

/**
 * Whether a value is its own encoded form: {@link copyPlain} gives an equal one. For whoever reads it on and changes nothing: no copy
 * is made. Contract and cost: as of `copyPlain`.
 */
export function isPlainData(value: unknown): boolean {
  try {
    return isPlain(value, { left: maxWeight }, maxDepth);
  } catch {
    return false;
  }
}

function isPlain(value: unknown, budget: Budget, depth: number): boolean {
  budget.left -= typeof value === 'string' ? 1 + value.length / charactersPerUnit : 1;
  if (budget.left < 0 || depth === 0) return false;
  if (typeof value !== 'object' || value === null) return plainScalar(value) !== undefined;
  return Array.isArray(value)
    ? isPlainArray(value, budget, depth - 1)
    : isPlainObject(value, budget, depth - 1);
}

function isPlainArray(source: readonly unknown[], budget: Budget, depth: number): boolean {
  const { length } = source;
  if (length > budget.left || Object.keys(source).length !== length) return false;
  for (let index = 0; index < length; index += 1) {
    if (!Object.hasOwn(source, index) || !isPlain(source[index], budget, depth)) return false;
  }
  return true;
}

function isPlainObject(source: object, budget: Budget, depth: number): boolean {
  const prototype: unknown = Object.getPrototypeOf(source);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key of Object.keys(source)) {
    if (key === tagKey || !isPlain(Reflect.get(source, key), budget, depth)) return false;
  }
  return true;
}

function plainScalar(value: unknown): EncodedValue | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  const isPlain = typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0);
  return isPlain ? value : undefined;
}

/** A list with holes or with properties of its own has no form in JSON. */
function copyArray(
  source: readonly unknown[],
  budget: Budget,
  depth: number,
): EncodedContainer | undefined {
  const { length } = source;
  if (length > budget.left || Object.keys(source).length !== length) return undefined;
  const copy: EncodedValue[] = [];
  for (let index = 0; index < length; index += 1) {
    const child = Object.hasOwn(source, index)
      ? copyValue(source[index], budget, depth)
      : undefined;
    if (child === undefined) return undefined;
    copy.push(child);
  }
  return copy;
}

function copyObject(source: object, budget: Budget, depth: number): EncodedContainer | undefined {
  const prototype: unknown = Object.getPrototypeOf(source);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const copy: EncodedContainer = {};
  for (const key of Object.keys(source)) {
    if (key === tagKey) return undefined;
    const child = copyValue(Reflect.get(source, key), budget, depth);
    if (child === undefined) return undefined;
    setOwn(copy, key, child);
  }
  return copy;
}
