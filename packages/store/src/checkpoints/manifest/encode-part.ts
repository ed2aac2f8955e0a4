import type { Tier } from '@ctx/core';
import { touchedAtOf } from '@ctx/core';
import { listedValues } from '../../backend/record-lists.ts';
import { trustIn, unknownSource } from '../../items/item-record.ts';
import type { WorkingPart } from '../working/working-part.ts';

/** What a manifest says of the items of a part beside their members. */
export interface PartMarks {
  readonly tierAt: (rank: number) => Tier;
  readonly archived: boolean;
  /** Since when all of them have their place, ms since the epoch. Default: their own moments. */
  readonly rankedAt?: number;
}

type Values = readonly unknown[];

/** Texts that repeat: each once, and which one each item has. */
export function repeated(texts: readonly string[]): { values: string[]; at: number[] } {
  const places = new Map<string, number>();
  const at = texts.map((text) => {
    const known = places.get(text);
    if (known !== undefined) return known;
    places.set(text, places.size);
    return places.size - 1;
  });
  return { values: [...places.keys()], at };
}

/** The places at which there is a value, with it. */
const given = (values: Values): (readonly [number, unknown])[] =>
  values.flatMap((value, at) => (value === null ? [] : [[at, value] as const]));

const placesOf = (values: Values): number[] =>
  values.flatMap((value, at) => (value === 0 ? [] : [at]));

const kinds = (values: Values) => repeated(values.map(String));
const sources = (values: Values) =>
  repeated(values.map((value) => (typeof value === 'string' ? value : unknownSource)));
const trusts = (values: Values) => repeated(values.map(trustIn));

const copied = [
  ['id', 'item_id'],
  ['fingerprint', 'fingerprint'],
  ['rank', 'rank'],
  ['tokens', 'tokens'],
  ['accesses', 'access_count'],
  ['created', 'created_at'],
] as const;

/** Members whose lists are the same in one part and the next, more often than not. */
const shared = [
  ['kind', 'kind', kinds],
  ['source', 'source', sources],
  ['trust', 'trust', trusts],
  ['session', 'session_id', given],
  ['finished', 'finished_at', given],
  ['weight', 'weight', given],
  ['pinned', 'pinned', placesOf],
] as const;

/** The moments of a part: all but the first in ms after it. Lists that are the same text are not read. */
function momentsOf({ lists: { lists, count } }: WorkingPart, rankedAt: number | undefined): string {
  const { created_at: created, updated_at, last_accessed_at: accessed, ranked_at } = lists;
  const createdAt = listedValues(created).map(Number);
  const behind = (list: string | undefined, usual: (at: number) => number): number[] => {
    if (list === created) return new Array<number>(count).fill(0);
    return listedValues(list).map(
      (value, at) => (value === null ? usual(at) : Number(value)) - (createdAt[at] ?? 0),
    );
  };
  const own = (at: number): number => createdAt[at] ?? 0;
  const accesses = behind(accessed, own);
  const touched = (at: number): number =>
    touchedAtOf({ createdAt: own(at), lastAccessedAt: own(at) + (accesses[at] ?? 0) });
  const ranked =
    rankedAt === undefined
      ? behind(ranked_at, touched)
      : createdAt.map((moment) => rankedAt - moment);
  const updated = JSON.stringify(behind(updated_at, own));
  return `"updated":${updated},"accessed":${JSON.stringify(accesses)},"ranked":${JSON.stringify(ranked)}`;
}

/**
 * Gives what makes the bodies of parts, one after the other.
 * Equal items in equal order give equal bytes. What the lists say already is copied as it is; what two parts share is
 * made once.
 */
export function partEncoder(): (part: WorkingPart, marks: PartMarks) => string {
  const known = new Map<string, string>();
  const once = (name: string, list: string, make: (values: Values) => unknown): string => {
    const key = name + list;
    const text = known.get(key) ?? JSON.stringify(make(listedValues(list)));
    known.set(key, text);
    return text;
  };
  return (part, { tierAt, archived, rankedAt }) => {
    const { lists, count } = part.lists;
    const same = copied.map(([member, name]) => `"${member}":${lists[name] ?? '[]'}`);
    const own = shared.map(
      ([member, name, make]) => `"${member}":${once(member, lists[name] ?? '[]', make)}`,
    );
    const tiers = JSON.stringify(repeated(part.ranks.map(tierAt)));
    const places = archived ? Array.from({ length: count }, (_, at) => at) : [];
    const members = [
      ...same,
      momentsOf(part, rankedAt),
      ...own.slice(0, 3),
      `"tier":${tiers}`,
      ...own.slice(3),
      `"archived":${JSON.stringify(places)}`,
    ];
    return `{${members.join()}}`;
  };
}
