import { type EncodedContainer, type EncodedValue, setOwn, tagKey } from './encoded-value.ts';

/** Maximum depth of a copied value; deeper values take the path that uses no stack. */
const maxDepth = 100;

/** Maximum weight of a copied value: 1 per value and 1 per 100 characters. Stops shared objects from being expanded again and again. */
const maxWeight = 10_000;
const charactersPerUnit = 100;

/** The weight that is left. */
interface Budget {
  left: number;
}

/**
 * Copies plain JSON data of common size, which is its own encoded form. Returns `undefined` for everything else: values that
 * JSON cannot express, values that look like a tag, and deep, large or cyclic ones.
 *
 * Never throws, whatever getters and proxies do. Reads each property once, and at most `weight` values, down to a depth.
 */
export function copyPlain(
  value: unknown,
  weight: number = maxWeight,
  depth: number = maxDepth,
): EncodedValue | undefined {
  try {
    return copyValue(value, { left: weight }, depth);
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
 * Returns whether a value is its own encoded form. Use it instead of {@link copyPlain} if the value is only read: it makes no copy.
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

/** JSON cannot express an array with holes or with properties of its own. */
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
