import { isRecord } from '@ctx/core/encoding';

export { isRecord };

/** A JSON object. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** The value of an own field; `undefined` where there is none, also for names that every object inherits. */
export function fieldOf(record: JsonRecord, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** A field that holds text. */
export function textAt(record: JsonRecord, key: string): string | undefined {
  const value = fieldOf(record, key);
  return typeof value === 'string' ? value : undefined;
}

/** A field that holds a count; 0 where it holds none. */
export function countAt(record: JsonRecord, key: string): number {
  const value = fieldOf(record, key);
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

/** A field that holds an ISO time, in ms since the epoch. */
export function timeAt(record: JsonRecord, key: string): number | undefined {
  const text = textAt(record, key);
  const at = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

/** The record without some keys; `undefined` where nothing is left. A loop: this runs several times per record of files of gigabytes. */
export function withoutKeys(record: JsonRecord, keys: readonly string[]): JsonRecord | undefined {
  let kept: Record<string, unknown> | undefined;
  for (const key of Object.keys(record)) {
    if (!keys.includes(key)) setField((kept ??= {}), key, record[key]);
  }
  return kept;
}

/** The record without the fields that are `undefined`. */
export function defined<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) {
    const value = (fields as JsonRecord)[key];
    if (value !== undefined) setField(kept, key, value);
  }
  // What is left out is exactly what the type leaves out.
  return kept as { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };
}

const ownField = { enumerable: true, configurable: true, writable: true };

/** Sets an own field, also where every object inherits a setter of that name. */
function setField(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(target, key, { ...ownField, value });
  else target[key] = value;
}

/** A list of anything. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Parses JSON, or gives `undefined`, which no JSON means. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Tells whether two JSON values are equal, whatever the order of their keys. Needs no stack, however deep they are. */
export function isJsonEqual(left: unknown, right: unknown): boolean {
  const pairs: [unknown, unknown][] = [[left, right]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const parts = partsOf(pair[0], pair[1]);
    if (parts === undefined) return false;
    for (const part of parts) pairs.push(part);
  }
  return true;
}

/** What must be equal for two values to be equal; `undefined` where they differ. */
function partsOf(left: unknown, right: unknown): readonly [unknown, unknown][] | undefined {
  if (Object.is(left, right)) return [];
  if (isList(left) && isList(right)) {
    return left.length === right.length ? left.map((item, at) => [item, right[at]]) : undefined;
  }
  if (!isRecord(left) || !isRecord(right)) return undefined;
  const keys = Object.keys(left);
  const areSame =
    keys.length === Object.keys(right).length && keys.every((key) => Object.hasOwn(right, key));
  return areSame ? keys.map((key) => [left[key], right[key]]) : undefined;
}
