import { gunzipSync, gzipSync } from 'node:zlib';
import { CtxError } from '@ctx/core';
import { DamagedBody } from '@ctx/store/backend';
import type { SqliteValue } from '../driver/sqlite-driver.ts';
import {
  bodyChecksum,
  columnsChecksum,
  type OpenedSeal,
  openBytes,
  openText,
  type SealedRecord,
  sealOf,
  withSeal,
} from './record-seal.ts';

/**
 * Bodies of so many characters and more are compressed.
 * Source: measured on JSON of source code: below, gzip costs more time than the smaller write saves.
 */
export const compressFrom = 65_536;

/** A body as text, or as gzip where that is smaller. */
function encodeBody(body: string): string | Uint8Array {
  if (body.length < compressFrom) return body;
  const bytes = Buffer.from(body, 'utf8');
  const compressed = gzipSync(bytes, { level: 1 });
  return compressed.length < bytes.length ? compressed : body;
}

/** A body as the file holds it, with the checksums of what it is put with. */
export function encodeSealed(record: SealedRecord, body: string): string | Uint8Array {
  const encoded = encodeBody(body);
  return withSeal(encoded, sealOf(record, encoded));
}

/** A row whose body is to be read. */
export interface BodyPlace extends Omit<SealedRecord, 'columns'> {
  readonly version: number;
  /** Missing if they are not at hand: then only the body is compared with its checksum. */
  readonly columns?: SealedRecord['columns'];
}

/** A body, and whether a checksum said that it is as it was written. */
export interface DecodedBody {
  readonly body: string;
  readonly isSealed: boolean;
}

function shown(stored: SqliteValue | undefined): string {
  if (typeof stored === 'string') return stored;
  return stored instanceof Uint8Array ? `base64:${Buffer.from(stored).toString('base64')}` : '';
}

/** A body that does not fit its checksum: thrown within this file, and told with the record's name. */
class Misfit extends Error {}

function checkSeal(place: BodyPlace, { body, seal }: OpenedSeal<string | Uint8Array>): boolean {
  if (seal === undefined) return false;
  if (seal === 'damaged') throw new Misfit('its checksum is cut off');
  if (bodyChecksum(place, body) !== seal.body) {
    throw new Misfit('its body does not fit its checksum');
  }
  const { collection, columns, version } = place;
  // Columns of a record that was changed since it was made have no checksum.
  const hasColumns = version === 1 && columns !== undefined;
  if (hasColumns && columnsChecksum({ collection, columns }) !== seal.columns) {
    throw new Misfit('its columns do not fit their checksum');
  }
  return true;
}

function decode(place: BodyPlace, stored: SqliteValue | undefined): DecodedBody {
  if (typeof stored === 'string') {
    const opened = openText(stored);
    const isSealed = checkSeal(place, opened);
    // A text ends at its first zero byte, and its checksum is gone with the rest.
    if (!isSealed && !isJson(opened.body)) throw new Misfit('its end is missing');
    return { body: opened.body, isSealed };
  }
  if (!(stored instanceof Uint8Array)) throw new Misfit('it has no body');
  const text = gunzipSync(stored);
  const isSealed = checkSeal(place, openBytes(stored, text.length));
  return { body: text.toString('utf8'), isSealed };
}

/**
 * Reads a body back.
 * @throws `CTX_STORE_CORRUPT` where it, or a column, is not what was written; the cause has the bytes.
 */
export function decodeSealed(place: BodyPlace, stored: SqliteValue | undefined): DecodedBody {
  try {
    return decode(place, stored);
  } catch (error) {
    const what = error instanceof Misfit ? error.message : 'its compressed body cannot be read';
    const cause = new DamagedBody(what, shown(stored));
    const name = `${place.collection} ${JSON.stringify(place.key).slice(0, 200)}`;
    const message = `the record ${name} is damaged: ${what}; delete it, or run ctx verify --repair`;
    throw new CtxError('CTX_STORE_CORRUPT', message, { cause });
  }
}

/** Whether a body without a checksum is JSON at least: the end of one that lost its checksum is missing. */
export function isJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

/** {@link decodeSealed} for callers that need no checksum result. */
export function decodeBody(place: BodyPlace, stored: SqliteValue | undefined): string {
  return decodeSealed(place, stored).body;
}
