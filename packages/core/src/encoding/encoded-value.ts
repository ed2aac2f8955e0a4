/** Plain JSON data: what `JSON.parse` gives and `JSON.stringify` takes without loss. */
export type EncodedValue =
  | string
  | number
  | boolean
  | null
  | EncodedValue[]
  | { [key: string]: EncodedValue };

/** An object or array of plain JSON data. */
export type EncodedContainer = EncodedValue[] | { [key: string]: EncodedValue };

/** The key that marks what JSON has no form for. Plain objects that own this key are wrapped, so no data can forge a tag. */
export const tagKey = '$ctx';

/** Tells whether `value` is an object or array. */
export function isContainer(value: EncodedValue): value is EncodedContainer {
  return typeof value === 'object' && value !== null;
}

/**
 * Sets an own property, also where the prototype has one of that name: to assign to `__proto__` would change the prototype,
 * to `toString` fails where prototypes are frozen.
 */
export function setOwn(target: object, key: string, value: unknown): void {
  // Every target is made here, as a list or an object. Twice as fast as `Reflect.set`.
  if (!(key in target)) (target as Record<string, unknown>)[key] = value;
  else {
    const isPlain = { writable: true, enumerable: true, configurable: true };
    Object.defineProperty(target, key, { ...isPlain, value });
  }
}
