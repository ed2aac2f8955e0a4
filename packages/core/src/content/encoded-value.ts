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

/** Sets an own property, also where the key is `__proto__`: a plain assignment would change the prototype. */
export function setOwn(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
