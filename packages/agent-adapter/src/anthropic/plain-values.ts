export { isRecord } from '@ctx/core/encoding';

/** What is read of a value that a host hands in. */
export type PlainRecord = Readonly<Record<string, unknown>>;

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** The record without a member; the same object where it has none of that name. */
export function without(record: PlainRecord, name: string): PlainRecord {
  if (!Object.hasOwn(record, name)) return record;
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
}
