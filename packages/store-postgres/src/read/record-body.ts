import { gunzipSync, gzipSync } from 'node:zlib';
import { CtxError } from '@ctx/core';

/** Bodies of so many characters and more are compressed: below, the server's own compression does as well. */
export const compressFrom = 65_536;

/** A body as the table holds it. */
export interface StoredBody {
  readonly text: string | null;
  /** gzip in base64, as it is sent: a list of these goes through every driver. */
  readonly packed: string | null;
}

/** A body as text, or a long one as gzip: no text of JSON fills its bytes, so that it gets smaller. */
export function encodeBody(body: string): StoredBody {
  if (body.length < compressFrom) return { text: body, packed: null };
  const compressed = gzipSync(Buffer.from(body, 'utf8'), { level: 1 });
  return { text: null, packed: compressed.toString('base64') };
}

/** @throws `CTX_STORE_CORRUPT` where the row holds what `encodeBody` does not make. */
export function decodeBody(text: unknown, packed: unknown): string {
  if (typeof text === 'string') return text;
  if (!(packed instanceof Uint8Array)) {
    throw new CtxError('CTX_STORE_CORRUPT', 'a record of the store has no body');
  }
  try {
    return gunzipSync(packed).toString('utf8');
  } catch (cause) {
    throw new CtxError('CTX_STORE_CORRUPT', 'a body in the store is damaged', { cause });
  }
}
