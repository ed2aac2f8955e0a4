import { CtxError } from '@ctx/core';
import { decodeValue, encodeValue } from '@ctx/core/encoding';
import { type CollectionAccess, type ContextStore, collections, graphItemWords } from '@ctx/store';
import type { StoredRecord, WriteOperation } from '@ctx/store/backend';
import * as z from 'zod';
import type { EmbeddingsShape, ItemShape, PutShape } from './host-types.ts';
import { textsOfItem } from './item-text.ts';
import { labelsOf, namespaceText } from './namespaces.ts';

/** How long items live. */
export interface ItemLifetime {
  /** Of items that are put without a time of their own, ms. Default: for ever. */
  readonly defaultMs?: number;
  /** Whether reading an item begins its time anew. Default true. */
  readonly refreshOnRead?: boolean;
}

/** What the items of a store need. */
export interface ItemsHost {
  readonly store: ContextStore;
  readonly items: CollectionAccess;
  readonly lifetime: ItemLifetime;
  readonly embeddings?: EmbeddingsShape;
  /** Paths of what is searched. */
  readonly fields: readonly string[];
  /** How many items a query ranks at most. */
  readonly mostRanked: number;
}

/** What the record of an item holds. */
export interface ItemBody {
  readonly value: Record<string, unknown>;
  /** Paths of what is searched; false: nothing is. Left out: those of the store. */
  readonly index?: false | readonly string[];
  /** The texts at these paths. Left out: all of the value is searched. */
  readonly searched?: string;
  /** One for each text. */
  readonly vectors?: readonly (readonly number[])[];
}

/** An item as it was read. */
export interface StoredItem {
  readonly record: StoredRecord;
  readonly body: ItemBody;
}

const bodySchema: z.ZodType<ItemBody> = z.strictObject({
  // Checked, not copied: a copy would lose members named `__proto__`.
  value: z.custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null),
  index: z.union([z.literal(false), z.array(z.string())]).exactOptional(),
  searched: z.string().exactOptional(),
  vectors: z.array(z.array(z.number())).exactOptional(),
});

/** Does nothing until used. */
export function itemsHost(
  store: ContextStore,
  options: Omit<ItemsHost, 'store' | 'items'>,
): ItemsHost {
  return { store, items: store.records.collection(collections.graphItems), ...options };
}

/** @throws `CTX_STORE_CORRUPT`. */
export function readGraphItem(record: StoredRecord): StoredItem {
  try {
    return { record, body: bodySchema.parse(decodeValue(JSON.parse(record.body))) };
  } catch (cause) {
    const name = record.key.join(' / ');
    throw new CtxError('CTX_STORE_CORRUPT', `item ${name} cannot be read`, { cause });
  }
}

/** The item as LangGraph has it. */
export function graphItemOf({ record, body }: StoredItem): ItemShape {
  const { created_at: created, updated_at: updated } = record.columns;
  return {
    value: body.value,
    key: record.key[1] ?? '',
    namespace: labelsOf(record.key[0] ?? ''),
    createdAt: new Date(Number(created)),
    updatedAt: new Date(Number(updated)),
  };
}

/** Whether the time of an item is over. */
export function isExpired({ columns }: StoredRecord, now: number): boolean {
  const expires = columns['expires_at'];
  return typeof expires === 'number' && expires <= now;
}

function lifetimeOf(
  { lifetime }: ItemsHost,
  { ttlMs = lifetime.defaultMs }: PutShape,
): number | null {
  if (ttlMs === undefined) return null;
  if (Number.isSafeInteger(ttlMs) && ttlMs > 0) return ttlMs;
  throw new CtxError('CTX_INVALID_INPUT', 'ttlMs must be a whole number above 0');
}

/** Where an item is kept. */
export function keyOf({ namespace, key }: PutShape | Omit<PutShape, 'value'>): string[] {
  return [namespaceText(namespace), key];
}

/** A put that knows what its item was before. */
export interface PreparedPut {
  readonly put: PutShape;
  readonly before: StoredRecord | undefined;
  readonly vectors: readonly (readonly number[])[] | undefined;
}

/** What is searched of an item, where it says so itself. */
export function indexOf({ index }: PutShape): Pick<ItemBody, 'index'> {
  return index === undefined || index === null ? {} : { index };
}

function createdAt(before: StoredRecord | undefined, now: number): number {
  return before === undefined || isExpired(before, now)
    ? now
    : Number(before.columns['created_at']);
}

/** The texts of an item that a query looks at. */
export function searchedTexts(
  { fields }: Pick<ItemsHost, 'fields'>,
  { value, index }: Pick<ItemBody, 'value' | 'index'>,
): string[] {
  return index === false ? [] : textsOfItem(value, index ?? fields);
}

/** What the body says of its texts, where they are not the whole value. */
export function searchedPart(
  host: Pick<ItemsHost, 'fields'>,
  body: Pick<ItemBody, 'value' | 'index'>,
): Pick<ItemBody, 'searched'> {
  const { index = host.fields } = body;
  const isWhole = index !== false && index.length === 1 && index[0] === '$';
  return isWhole ? {} : { searched: searchedTexts(host, body).join('\n') };
}

/** What is written of a put. */
export function putOperation(
  host: ItemsHost,
  { put, before, vectors }: PreparedPut,
): WriteOperation {
  const key = keyOf(put);
  const { items, store } = host;
  const { value } = put;
  if (value === null) return items.remove({ key });
  const now = store.clock();
  const lifetime = lifetimeOf(host, put);
  const searched = searchedPart(host, { value: { ...value }, ...indexOf(put) });
  const given = {
    value,
    ...indexOf(put),
    ...searched,
    ...(vectors === undefined ? {} : { vectors }),
  };
  const body = JSON.stringify(store.redactor.redact(encodeValue(given)).value);
  return items.put({
    key,
    columns: {
      created_at: createdAt(before, now),
      ...{ updated_at: now, lifetime, expires_at: lifetime === null ? null : now + lifetime },
      searched: 1,
    },
    ...{ body, words: graphItemWords.of({ body }) },
    expectVersion: before?.version ?? 0,
  });
}

/** Begins the time of items anew. An item that is changed or removed meanwhile stays as it is then. */
export async function refreshItems(
  { items, store, lifetime }: ItemsHost,
  read: readonly StoredRecord[],
): Promise<void> {
  if (lifetime.refreshOnRead === false) return;
  const now = store.clock();
  const patches = read.flatMap(({ key, version, columns }) => {
    const lives = columns['lifetime'];
    if (typeof lives !== 'number' || columns['expires_at'] === now + lives) return [];
    const expires = { expires_at: now + lives };
    return [items.patch({ key, columns: expires, expectVersion: version })];
  });
  if (patches.length > 0) await store.records.write(patches).catch(() => undefined);
}
