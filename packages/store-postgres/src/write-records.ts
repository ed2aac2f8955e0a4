import { compareKeys, type RecordKey } from '@ctx/core';
import { groupByTenant } from './by-tenant.ts';
import type { CollectionTable } from './collection-table.ts';
import { planRecord, type RecordChange, type RecordOperations } from './plan-write.ts';
import type { SqlSession } from './sql-driver.ts';
import {
  deleteRows,
  holdMissing,
  insertRows,
  lockVersions,
  patchRows,
  replaceRows,
  type RowsPlace,
} from './write-rows.ts';

type ChangeOf<Type extends RecordChange['type']> = Extract<RecordChange, { readonly type: Type }>;

/** The records of a write in one table, of one tenant. */
interface Group {
  readonly place: RowsPlace;
  readonly records: readonly RecordOperations[];
}

/** What becomes of a group. */
interface PlannedGroup {
  readonly place: RowsPlace;
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
function groupsOf(session: SqlSession, records: readonly RecordOperations[]): Group[] {
  return groupByTenant(records, ({ key }) => key).flatMap(({ tenant, group }) =>
    byTable(group).map(([table, own]) => ({
      place: { session, table, tenant },
      records: own.toSorted((left, right) => compareKeys(left.key, right.key)),
    })),
  );
}

const keysOf = (some: readonly { readonly key: RecordKey }[]): RecordKey[] =>
  some.map(({ key }) => key);

async function applyChanges({ place, changes }: PlannedGroup): Promise<void> {
  await deleteRows(place, keysOf(changes.filter(isOf('delete'))));
  await replaceRows(place, changes.filter(isOf('replace')));
  await patchRows(place, changes.filter(isOf('patch')));
  await insertRows(place, changes.filter(isOf('insert')));
  await holdMissing(place, keysOf(changes.filter(isOf('keep-missing'))));
}

/** Whether the record is to be made: then nothing is there to be locked. */
function isNew({ operations }: RecordOperations): boolean {
  const [operation, ...others] = operations;
  return others.length === 0 && operation?.type === 'put' && operation.expectVersion === 0;
}

/**
 * Does a write inside of a transaction: locks, plans, then changes. The first try takes records that must be new for new without a
 * look at them.
 * Throws: `CTX_STORE_CONFLICT`, before anything is changed; `RecordsMoved` where it has to be done anew.
 */
export async function writeRecords(
  session: SqlSession,
  records: readonly RecordOperations[],
  tries: number,
): Promise<void> {
  const planned: PlannedGroup[] = [];
  for (const { place, records: group } of groupsOf(session, records)) {
    const looked = tries === 1 ? group.filter((record) => !isNew(record)) : group;
    const versions = await lockVersions(place, keysOf(looked));
    const changes = group.map((record) =>
      planRecord(record, versions.get(JSON.stringify(record.key)) ?? 0),
    );
    planned.push({ place, changes });
  }
  for (const changes of planned) await applyChanges(changes);
}
