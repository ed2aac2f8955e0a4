/** Plain JSON data: `JSON.parse` returns it and `JSON.stringify` writes it without loss. */
export type EncodedValue =
  | string
  | number
  | boolean
  | null
  | EncodedValue[]
  | { [key: string]: EncodedValue };

/** An object or array of plain JSON data. */
export type EncodedContainer = EncodedValue[] | { [key: string]: EncodedValue };

/** The key that marks values JSON cannot express. Plain objects with this key are wrapped, so that data cannot forge a tag. */
export const tagKey = '$ctx';

/** Returns whether `value` is an object or an array. */
export function isContainer(value: EncodedValue): value is EncodedContainer {
  return typeof value === 'object' && value !== null;
}

/**
 * Sets an own property even if the prototype has one of that name. Assigning to `__proto__` would change the prototype;
 * assigning to `toString` fails if prototypes are frozen.
 */
export function setOwn(target: object, key: string, value: unknown): void {
  // Every target is an array or object made here. Twice as fast as `Reflect.set`.
  if (!(key in target)) (target as Record<string, unknown>)[key] = value;
  else {
    const isPlain = { writable: true, enumerable: true, configurable: true };
    Object.defineProperty(target, key, { ...isPlain, value });
  }
}
