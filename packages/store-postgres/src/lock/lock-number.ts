import { createHash } from 'node:crypto';

/** The number of an advisory lock, made of what it stands for: a `bigint` of PostgreSQL, as text. */
export function lockNumber(...names: readonly unknown[]): string {
  const digest = createHash('sha256').update(JSON.stringify(names)).digest();
  return String(digest.readBigInt64BE(0));
}
