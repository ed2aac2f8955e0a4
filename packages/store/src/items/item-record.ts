import type { ContextItem, ItemSummary, Trust } from '@ctx/core';
import { CtxError, touchedAtOf } from '@ctx/core';
import type {
  ColumnValue,
  PatchOperation,
  PutOperation,
  StoredRecord,
} from '../backend/store-backend.ts';
import type { CollectionAccess } from '../records/collection-access.ts';
import { contentOfBody, itemWords } from './item-body.ts';

/** The source of an item that names none. */
export const unknownSource = 'unknown';

/** The trust in a column; what is not known is not trusted. */
export function trustIn(value: unknown): Trust {
  return value === 'trusted' || value === 'derived' ? value : 'untrusted';
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Adds what an item may lack. Saves the copies that spreading would make, of thousands of items at once. */
function addOptional(item: Writable<ItemSummary>, columns: StoredRecord['columns']): ItemSummary {
  const { weight, finished_at: finishedAt, session_id: sessionId } = columns;
  if (typeof weight === 'number') item.weight = weight;
  if (typeof finishedAt === 'number') item.finishedAt = finishedAt;
  if (typeof sessionId === 'string') item.sessionId = sessionId;
  return item;
}

/** The item in a record, without its content: enough is read of it with `columns`. */
export function itemSummaryOf({ key, columns }: StoredRecord): ItemSummary {
  const createdAt = Number(columns['created_at']);
  const lastAccessedAt = Number(columns['last_accessed_at']);
  const { source } = columns;
  // What items of older stores lack is left out or taken from what they have.
  const item = {
    id: key[1] ?? '',
    agentId: key[0] ?? '',
    kind: String(columns['kind']),
    rank: Number(columns['rank']),
    accessCount: Number(columns['access_count']),
    createdAt,
    updatedAt: Number(columns['updated_at'] ?? createdAt),
    lastAccessedAt,
    rankedAt: Number(columns['ranked_at'] ?? touchedAtOf({ createdAt, lastAccessedAt })),
    pinned: columns['pinned'] !== 0,
    archived: columns['archived'] !== 0,
    source: typeof source === 'string' ? source : unknownSource,
    trust: trustIn(columns['trust']),
    fingerprint: String(columns['fingerprint']),
    tokens: Number(columns['tokens']),
  };
  return addOptional(item, columns);
}

/**
 * The content in a whole record.
 * @throws `CTX_STORE_CORRUPT` where it has none.
 */
export function contentOf(record: StoredRecord): string {
  const content = contentOfBody(record);
  if (content !== undefined) return content;
  throw new CtxError('CTX_STORE_CORRUPT', `item ${record.key.join(' / ')} has no content`);
}

/**
 * The item in a whole record.
 * @throws `CTX_STORE_CORRUPT` where it has no content.
 */
export function itemOf(record: StoredRecord): ContextItem {
  return Object.assign(itemSummaryOf(record), { content: contentOf(record) });
}

/** The columns of an item's record. */
export function itemColumns(item: ItemSummary): Record<string, ColumnValue> {
  return {
    kind: item.kind,
    rank: item.rank,
    access_count: item.accessCount,
    created_at: item.createdAt,
    last_accessed_at: item.lastAccessedAt,
    pinned: item.pinned ? 1 : 0,
    archived: item.archived ? 1 : 0,
    fingerprint: item.fingerprint,
    tokens: item.tokens,
    updated_at: item.updatedAt,
    ranked_at: item.rankedAt,
    finished_at: item.finishedAt ?? null,
    weight: item.weight ?? null,
    source: item.source,
    trust: item.trust,
    session_id: item.sessionId ?? null,
  };
}

/** Where items are put. */
export interface ItemPlace {
  readonly collection: CollectionAccess;
}

/** Writes an item as a whole over the version it was read in. */
export function itemPut(
  { collection }: ItemPlace,
  item: ContextItem,
  expectVersion: number,
): PutOperation {
  return collection.put({
    key: [item.agentId, item.id],
    columns: itemColumns(item),
    body: JSON.stringify({ content: item.content }),
    words: itemWords(item.content),
    expectVersion,
  });
}

/** Writes what differs between two states of an item; `undefined` where nothing does. */
export function itemPatch(
  collection: CollectionAccess,
  { before, after }: { readonly before: ItemSummary; readonly after: ItemSummary },
  expectVersion: number,
): PatchOperation | undefined {
  const old = itemColumns(before);
  const changed = Object.entries(itemColumns(after)).filter(([name, value]) => old[name] !== value);
  if (changed.length === 0) return undefined;
  const key = [after.agentId, after.id];
  return collection.patch({ key, columns: Object.fromEntries(changed), expectVersion });
}
