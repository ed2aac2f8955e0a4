/** Reads an own property of foreign data; undefined where there is none. Never throws. */
export function readOwn(value: unknown, key: string): unknown {
  try {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    return Reflect.get(value, key);
  } catch {
    return undefined;
  }
}

/** The string under the first of `keys` that has one which is not blank. */
export function readOwnText(value: unknown, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const found = readOwn(value, key);
    if (typeof found === 'string' && found.trim() !== '') return found;
  }
  return undefined;
}
