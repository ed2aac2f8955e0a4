import { compareKeys, type RecordKey } from '@ctx/store/backend';
import { allSent } from '../driver/all-sent.ts';
import type { SqlSession } from '../driver/sql-driver.ts';
import { groupByTenant } from '../read/by-tenant.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { holdVersions } from './hold-versions.ts';
import { planRecord, type RecordChange, type RecordOperations } from './plan-write.ts';
import type { SendChanges } from './run-write.ts';
import {
  deleteRows,
  holdMissing,
  insertRows,
  lockVersions,
  patchRows,
  type RowsPlace,
  replaceRows,
} from './write-rows.ts';

type ChangeOf<Type extends RecordChange['type']> = Extract<RecordChange, { readonly type: Type }>;

type GroupPlace = Omit<RowsPlace, 'session'>;

/** The records of a write in one table, of one tenant. */
interface Group extends GroupPlace {
  readonly records: readonly RecordOperations[];
}

/** What becomes of a group. */
interface PlannedGroup extends GroupPlace {
  readonly changes: readonly RecordChange[];
}

function isOf<Type extends RecordChange['type']>(type: Type) {
  return (change: RecordChange): change is ChangeOf<Type> => change.type === type;
}

function byTable(records: readonly RecordOperations[]): [CollectionTable, RecordOperations[]][] {
  const groups = new Map<CollectionTable, RecordOperations[]>();
  for (const record of records) {
    const group = groups.get(record.table);
    if (group === undefined) groups.set(record.table, [record]);
    else group.push(record);
  }
  return [...groups].sort(([left], [right]) => (left.table < right.table ? -1 : 1));
}

/** In the order in which records are locked: of tenants, then of tables, then of keys, so that no two writes wait for each other. */
function groupsOf(records: readonly RecordOperations[]): Group[] {
  return groupByTenant(records, ({ key }) => key).flatMap(({ tenant, group }) =>
    byTable(group).map(([table, own]) => ({
      table,
      tenant,
      records: own.toSorted((left, right) => compareKeys(left.key, right.key)),
    })),
  );
}

const keysOf = (some: readonly { readonly key: RecordKey }[]): RecordKey[] =>
  some.map(({ key }) => key);

/** Sends the changes of all groups, in their order, none waiting for an answer. */
const sendChanges =
  (planned: readonly PlannedGroup[]): SendChanges =>
  (session) =>
    allSent(
      planned.flatMap(({ table, tenant, changes }) => {
        const place = { session, table, tenant };
        return [
          deleteRows(place, keysOf(changes.filter(isOf('delete')))),
          replaceRows(place, changes.filter(isOf('replace'))),
          patchRows(place, changes.filter(isOf('patch'))),
          insertRows(place, changes.filter(isOf('insert'))),
          holdMissing(place, keysOf(changes.filter(isOf('keep-missing')))),
        ];
      }),
    );

/** Whether the record is to be made: then nothing is there to be looked at. */
function isNew({ operations }: RecordOperations): boolean {
  const [operation, ...others] = operations;
  return others.length === 0 && operation?.type === 'put' && operation.expectVersion === 0;
}

/** The version that a record must have, where nothing else is asked of it. */
function keptVersion({ operations }: RecordOperations): number | undefined {
  const [operation, ...others] = operations;
  return others.length === 0 && operation?.type === 'check' ? operation.expectVersion : undefined;
}

/**
 * How records that must all be new are put without a look, behind records that must be as they are known to be; `undefined` where more
 * is asked.
 */
export function blindChanges(records: readonly RecordOperations[]): SendChanges | undefined {
  const isKept = (record: RecordOperations): boolean => (keptVersion(record) ?? 0) > 0;
  const kept = records.filter(isKept);
  const fresh = records.filter((record) => !isKept(record));
  if (!fresh.every(isNew)) return undefined;
  const changes = sendChanges(
    groupsOf(fresh).map(({ records: group, ...place }) => ({
      ...place,
      changes: group.map((record) => planRecord(record, 0)),
    })),
  );
  const holding = groupsOf(kept).map(({ records: group, ...place }) => ({
    place,
    rows: group.map((record) => ({ key: record.key, version: keptVersion(record) ?? 0 })),
  }));
  return (session) =>
    allSent([
      ...holding.map(({ place, rows }) => holdVersions({ session, ...place }, rows)),
      changes(session),
    ]);
}

/**
 * Looks at the records of a write inside of its transaction, locks them and plans what becomes of them. The first try takes records
 * that must be new for new without a look at them.
 * @throws `CTX_STORE_CONFLICT`; what it gives throws `RecordsMoved` where the write has to be done anew.
 */
export async function planChanges(
  session: SqlSession,
  records: readonly RecordOperations[],
  tries: number,
): Promise<SendChanges> {
  const planned = groupsOf(records).map(async ({ records: group, ...place }) => {
    const looked = tries === 1 ? group.filter((record) => !isNew(record)) : group;
    const versions = await lockVersions({ session, ...place }, keysOf(looked));
    const changes = group.map((record) =>
      planRecord(record, versions.get(JSON.stringify(record.key)) ?? 0),
    );
    return { ...place, changes };
  });
  return sendChanges(await Promise.all(planned));
}
