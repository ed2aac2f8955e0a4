import type { RecordKey, StoredRecord } from '../backend/store-backend.ts';
import { checkBody, unreadable } from './check-bodies.ts';
import { type Finding, type Found, removalOf } from './finding.ts';
import { bodyOf, type CheckPlace, memberOf, readColumns, readRecords } from './read-records.ts';

/** Whether a record is there. Asks once for the records of one owner, which stand together. */
function owners(place: CheckPlace): (collection: string, key: RecordKey) => Promise<boolean> {
  let asked = '';
  let answer = false;
  return async (collection, key) => {
    const name = JSON.stringify([collection, key]);
    if (name === asked) return answer;
    const [record] = await readColumns(place, collection, [key]);
    asked = name;
    answer = record !== undefined;
    return answer;
  };
}

function orphan(collection: string, record: StoredRecord, what: string): Finding {
  const repair = removalOf(collection, record);
  return { kind: 'orphan', collection, key: record.key, what, repair };
}

function texts(value: unknown, name: string): readonly string[] | undefined {
  const list = memberOf(value, name);
  const isTexts = Array.isArray(list) && list.every((one) => typeof one === 'string');
  return isTexts ? list : undefined;
}

/** Items of a manifest whose content is neither the one that stands nor kept: destroyed, as far as a store can tell. */
async function* checkManifest(
  place: CheckPlace,
  record: StoredRecord,
): AsyncGenerator<Found, void, undefined> {
  const { tenant } = place;
  const value = bodyOf(record)?.value;
  const ids = texts(value, 'id') ?? [];
  const prints = texts(value, 'fingerprint') ?? [];
  const agent = record.key[1] ?? '';
  const keys = ids.map((id) => [tenant, agent, id]);
  const items = await readColumns(place, 'items', keys);
  const missing = ids.flatMap((id, at) =>
    items[at]?.columns['fingerprint'] === prints[at] ? [] : [[id, prints[at] ?? ''] as const],
  );
  const keptKeys = missing.map(([id, print]) => [tenant, agent, id, print]);
  const kept = await readColumns(place, 'item_contents', keptKeys);
  for (const [at, [id]] of missing.entries()) {
    if (kept[at] === undefined) yield { gone: 'content of a checkpoint', key: [...record.key, id] };
  }
}

/** What is wrong with a sound record and its owner. */
type OwnerRule = (record: StoredRecord) => AsyncIterable<Found>;

/** Checks the bodies of a collection, and those that are sound by a rule. */
async function* checkOwned(
  place: CheckPlace,
  collection: string,
  rule: OwnerRule,
): AsyncGenerator<Found, void, undefined> {
  for await (const read of readRecords(place, collection)) {
    if ('broken' in read) {
      yield unreadable(collection, read.broken, read.reason);
      continue;
    }
    const wrong = checkBody(collection, read.record);
    if (wrong !== undefined) yield wrong;
    else yield* rule(read.record);
  }
}

/** Checks the manifests of checkpoints: each belongs to one, and what it names can be brought back. */
export function checkManifests(place: CheckPlace): AsyncGenerator<Found, void, undefined> {
  const collection = 'checkpoint_parts';
  const isThere = owners(place);
  return checkOwned(place, collection, async function* (record) {
    if (await isThere('checkpoints', record.key.slice(0, 3))) yield* checkManifest(place, record);
    else yield orphan(collection, record, 'its checkpoint is gone');
  });
}

/** Checks the records of compactions: each belongs to a session that has a document or a log. */
export function checkCompactions(place: CheckPlace): AsyncGenerator<Found, void, undefined> {
  const collection = 'compactions';
  const isThere = owners(place);
  return checkOwned(place, collection, async function* (record) {
    const session = record.key.slice(0, 2);
    if ((await isThere('sessions', session)) || (await hasLog(place, session))) return;
    yield orphan(collection, record, 'its session is gone');
  });
}

async function hasLog({ backend }: CheckPlace, equal: RecordKey): Promise<boolean> {
  const query = { collection: 'events', index: 'key', equal, limit: 1, part: 'columns' } as const;
  for await (const _ of backend.scan(query)) return true;
  return false;
}
