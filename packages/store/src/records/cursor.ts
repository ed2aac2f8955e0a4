import { CtxError } from '@ctx/core';
import * as z from 'zod';
import type { ScanPosition } from '../backend/index-order.ts';

const positionSchema = z.strictObject({
  values: z.array(z.union([z.string().max(8192), z.number(), z.null()])).max(16),
  key: z.array(z.string().max(8192)).min(1).max(16),
});

/** Turns a place in an index into an opaque text that a caller hands back to go on from there. */
export function encodeCursor(position: ScanPosition): string {
  const json = JSON.stringify(position);
  const bytes = new TextEncoder().encode(json);
  // As many bytes as signs: all of them are ASCII.
  const binary =
    bytes.length === json.length
      ? json
      : Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** @throws `CTX_INVALID_INPUT` for anything that `encodeCursor` did not make. */
export function decodeCursor(cursor: string): ScanPosition {
  try {
    const binary = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return positionSchema.parse(
      JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)),
    );
  } catch (cause) {
    throw new CtxError('CTX_INVALID_ADDRESS', 'the cursor is not one that ctx gave out', { cause });
  }
}
