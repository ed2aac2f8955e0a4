import assert from 'node:assert/strict';
import { type CtxErrorCode, isCtxError } from '@ctx/core';
import { positionOf } from '../backend/index-order.ts';
import type {
  RecordPart,
  ScanQuery,
  SearchHit,
  SearchQuery,
  StoreBackend,
  StoredRecord,
  Tally,
  TallyQuery,
} from '../backend/store-backend.ts';
import { thingKey, things } from './case-collections.ts';

/** A scan of `things` in tenant `t`, if not said otherwise. */
export type ThingScan = Partial<Omit<ScanQuery, 'collection'>>;

export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of source) all.push(each);
  return all;
}

export function scanThings(backend: StoreBackend, query: ThingScan = {}): Promise<StoredRecord[]> {
  const whole = { collection: 'things', index: 'key', equal: ['t'], ...query };
  return collect(backend.scan(whole));
}

/** The last key parts of what a scan gives. */
export async function scanIds(backend: StoreBackend, query: ThingScan = {}): Promise<string[]> {
  return (await scanThings(backend, query)).map((record) => record.key.at(-1) ?? '');
}

/** Reads a scan page by page, each going on after the last record of the one before. */
export async function scanPages(
  backend: StoreBackend,
  query: ThingScan,
  pageSize: number,
): Promise<StoredRecord[]> {
  const all: StoredRecord[] = [];
  let page = await scanThings(backend, { ...query, limit: pageSize });
  while (page.length > 0) {
    assert.ok(page.length <= pageSize, `a page has at most ${pageSize} records`);
    all.push(...page);
    const last = page.at(-1);
    assert.ok(last !== undefined && all.length <= 1000, 'paging comes to an end');
    const after = positionOf(things, query.index ?? 'key', last);
    page = await scanThings(backend, { ...query, limit: pageSize, after });
  }
  return all;
}

export async function getThing(
  backend: StoreBackend,
  id: string,
  part?: RecordPart,
): Promise<StoredRecord | undefined> {
  return (await backend.get('things', [thingKey(id)], part))[0];
}

/** The version of a thing; 0 where there is none. */
export async function versionOf(backend: StoreBackend, id: string): Promise<number> {
  return (await getThing(backend, id))?.version ?? 0;
}

export function tallyThings(
  backend: StoreBackend,
  query: Partial<TallyQuery> = {},
): Promise<Tally[]> {
  return backend.tally({ collection: 'things', index: 'key', equal: ['t'], ...query });
}

export async function searchThings(
  backend: StoreBackend,
  words: readonly string[],
  options: Partial<SearchQuery> = {},
): Promise<SearchHit[]> {
  return backend.search({ collection: 'things', equal: ['t'], words, limit: 100, ...options });
}

export async function searchIds(
  backend: StoreBackend,
  words: readonly string[],
  options: Partial<SearchQuery> = {},
): Promise<string[]> {
  return (await searchThings(backend, words, options)).map((hit) => hit.key.at(-1) ?? '');
}

/** Passes if the call rejects with a ctx error of this code. */
export async function rejectsWith(code: CtxErrorCode, call: () => Promise<unknown>): Promise<void> {
  let result: unknown;
  try {
    result = await call();
  } catch (error) {
    if (isCtxError(error, code)) return;
    assert.fail(`rejects with ${code}, but got: ${String(error)}`);
  }
  assert.fail(`rejects with ${code}, but it resolved (${typeof result})`);
}

/** Names like a00, a01, … in their order. */
export function numbered(count: number, prefix = 'a'): string[] {
  const digits = String(count - 1).length;
  return Array.from({ length: count }, (_, at) => prefix + String(at).padStart(digits, '0'));
}

/** Text as a JSON string of plain ASCII, cut: for names of cases. */
export function visible(text: string): string {
  const escape = (character: string): string =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const cut = text.length > 40 ? `${text.slice(0, 40)}… (${text.length})` : text;
  return JSON.stringify(cut).replace(/[^ -~…]/g, escape);
}
