import { CtxError } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import { storedEventOf } from '../../stored/stored-event.ts';
import type { ImportCursor } from '../import-mark.ts';

const pageSize = 1_000;

/** The outputs of a session from a sequence number on. */
async function outputsFrom(
  store: ContextStore,
  sessionId: string,
  first: number,
): Promise<{ sessionId: string; id: string }[]> {
  const found: { sessionId: string; id: string }[] = [];
  let after: string | undefined;
  do {
    const page = { limit: pageSize, ...(after === undefined ? {} : { after }) };
    const { entries, next } = await store.outputs.pointers({ sessionId, ...page });
    for (const { id, sequence } of entries) if (sequence >= first) found.push({ sessionId, id });
    after = next;
  } while (after !== undefined);
  return found;
}

/**
 * Makes sure that what {@link undoUnfinished} would take away came from an import. Reads what the log holds after the cursor.
 * @throws `CTX_STORE_CONFLICT` where an agent went on in this session: its events are nowhere else.
 */
export async function checkOnlyImported(
  store: ContextStore,
  sessionId: string,
  cursor: ImportCursor | undefined,
): Promise<void> {
  for await (const { payload, type } of store.events.read(sessionId, {
    from: cursor?.events ?? 0,
  })) {
    if (storedEventOf(payload) !== undefined) continue;
    const message = `session ${sessionId} went on after its import (its log holds ${type}), and rewriting it would lose that; import the file as another session with --session`;
    throw new CtxError('CTX_STORE_CONFLICT', message);
  }
}

/**
 * Takes a session back to where its cursor stands, or to nothing. Gives the cursor where writing goes on there; `undefined` where
 * it begins anew, also where the log holds less than the cursor says.
 * A kill in the midst of it is mended by doing it again.
 */
export async function undoUnfinished(
  store: ContextStore,
  sessionId: string,
  cursor: ImportCursor | undefined,
): Promise<ImportCursor | undefined> {
  const { events } = await store.events.tally(sessionId);
  if (cursor === undefined || events < cursor.events) {
    await store.events.clear(sessionId);
    await store.outputs.clear(sessionId);
    return undefined;
  }
  if (events > cursor.events) await store.events.clear(sessionId, { from: cursor.events });
  const behind = await outputsFrom(store, sessionId, cursor.nextOutput);
  if (behind.length > 0) await store.outputs.delete(behind);
  return cursor;
}
