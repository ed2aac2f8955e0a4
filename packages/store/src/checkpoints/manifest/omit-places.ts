import { repeated } from './encode-part.ts';
import { itemAt, type Repeated, readPart, type StoredPart } from './manifest-part.ts';

/** What is left where only some places of a part stay. */
interface Staying {
  readonly texts: (list: Repeated) => Repeated;
  readonly values: <T>(list: readonly T[]) => readonly T[];
  /** By place, each at its new one. */
  readonly byPlace: <T>(
    list: readonly (readonly [number, T])[],
  ) => readonly (readonly [number, T])[];
  readonly places: (list: readonly number[]) => readonly number[];
}

function stayingAt(stay: readonly number[]): Staying {
  const newPlaces = new Map(stay.map((at, place) => [at, place]));
  const values: Staying['values'] = (list) => stay.map((at) => itemAt(list, at));
  return {
    values,
    texts: (list) => repeated(values(list.at).map((at) => itemAt(list.values, at))),
    byPlace: (list) =>
      list.flatMap(([at, value]) => {
        const place = newPlaces.get(at);
        return place === undefined ? [] : [[place, value] as const];
      }),
    places: (list) => list.flatMap((at) => newPlaces.get(at) ?? []),
  };
}

function partOf(part: StoredPart, { values, texts, byPlace, places }: Staying): StoredPart {
  const id = values(part.id);
  return {
    id,
    fingerprint: values(part.fingerprint),
    rank: values(part.rank),
    tokens: values(part.tokens),
    accesses: values(part.accesses),
    created: values(part.created),
    updated: values(part.updated),
    accessed: values(part.accessed),
    ranked: values(part.ranked),
    kind: texts(part.kind),
    source: texts(part.source),
    trust: texts(part.trust),
    tier: texts(part.tier),
    session: byPlace(part.session),
    finished: byPlace(part.finished),
    weight: byPlace(part.weight),
    pinned: places(part.pinned),
    archived: places(part.archived),
    purged: (part.purged ?? 0) + part.id.length - id.length,
  };
}

/**
 * The body of a part without the items of these ids; `undefined` where it names none of them.
 * Of an item that goes nothing is left but the count; done a second time it changes nothing.
 * @throws `CTX_STORE_CORRUPT`.
 */
export function partWithout(body: string, ids: ReadonlySet<string>): string | undefined {
  const part = readPart(body);
  const stay = part.id.flatMap((id, at) => (ids.has(id) ? [] : [at]));
  if (stay.length === part.id.length) return undefined;
  return JSON.stringify(partOf(part, stayingAt(stay)));
}
