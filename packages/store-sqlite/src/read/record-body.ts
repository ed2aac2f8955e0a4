import { gunzipSync, gzipSync } from 'node:zlib';
import { CtxError } from '@ctx/core';
import type { SqliteValue } from '../driver/sqlite-driver.ts';

/**
 * Bodies of so many characters and more are compressed.
 * Source: measured on JSON of source code: below, gzip costs more time than the smaller write saves.
 */
export const compressFrom = 65_536;

/** A body as the file holds it: text, or gzip where that is smaller. */
export function encodeBody(body: string): string | Uint8Array {
  if (body.length < compressFrom) return body;
  const bytes = Buffer.from(body, 'utf8');
  const compressed = gzipSync(bytes, { level: 1 });
  return compressed.length < bytes.length ? compressed : body;
}

/** Throws: `CTX_STORE_CORRUPT` where the bytes are not what `encodeBody` makes. */
export function decodeBody(stored: SqliteValue | undefined): string {
  if (typeof stored === 'string') return stored;
  if (!(stored instanceof Uint8Array)) {
    throw new CtxError('CTX_STORE_CORRUPT', 'a record of the store has no body');
  }
  try {
    return gunzipSync(stored).toString('utf8');
  } catch (cause) {
    throw new CtxError('CTX_STORE_CORRUPT', 'a body in the store is damaged', { cause });
  }
}
