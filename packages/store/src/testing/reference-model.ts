import type {
  CollectionDefinition,
  ColumnValue,
  ScanQuery,
  StoredRecord,
  Tally,
  TallyQuery,
  WriteOperation,
} from '../backend/store-backend.ts';
import type { FieldRange } from '../backend/index-order.ts';

/** A record of the model, with the words that a search finds it by. */
export interface ModelRecord extends StoredRecord {
  readonly words: ReadonlySet<string>;
}

/**
 * The contract in its plainest form: one list, sorted anew for every question. It shares no code with any backend, so that
 * a mistake would have to be made twice.
 */
export interface ReferenceModel {
  /** Does all operations or none; false on a conflict. */
  apply(operations: readonly WriteOperation[]): boolean;
  all(): readonly ModelRecord[];
  scan(query: ScanQuery): StoredRecord[];
  tally(query: TallyQuery): Tally[];
  /** Keys of what a search must find, in no order. */
  matches(equal: readonly string[], words: readonly string[]): string[];
}

function compareModelValues(left: ColumnValue, right: ColumnValue): number {
  if (left === null || right === null) return Number(right === null) - Number(left === null);
  if (typeof left === 'number' && typeof right === 'number') return Math.sign(left - right);
  return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)));
}

function compareModelLists(left: readonly ColumnValue[], right: readonly ColumnValue[]): number {
  const differences = left.map((value, at) => compareModelValues(value, right[at] ?? null));
  return differences.find((difference) => difference !== 0) ?? 0;
}

function isInRange(value: ColumnValue, range: FieldRange): boolean {
  const { from, to } = range;
  if (value === null) return from === undefined && to === undefined;
  const low = from === undefined ? 1 : compareModelValues(value, from);
  const high = to === undefined ? -1 : compareModelValues(value, to);
  const isHighEnough = range.fromExclusive === true ? low > 0 : low >= 0;
  const isLowEnough = range.toExclusive === true ? high < 0 : high <= 0;
  return isHighEnough && isLowEnough;
}

const nameOf = (operation: WriteOperation): string => JSON.stringify(operation.key);

function applyOne(
  records: Map<string, ModelRecord>,
  operation: WriteOperation,
  columnNames: readonly string[],
): boolean {
  const name = nameOf(operation);
  const before = records.get(name);
  const version = before?.version ?? 0;
  if (operation.expectVersion !== undefined && operation.expectVersion !== version) return false;
  if (operation.type === 'delete') records.delete(name);
  if (operation.type === 'patch') {
    if (before === undefined) return false;
    const columns = { ...before.columns, ...operation.columns };
    records.set(name, { ...before, version: version + 1, columns });
  }
  if (operation.type === 'put') {
    const empty = Object.fromEntries(columnNames.map((column) => [column, null]));
    const words = Object.values(operation.words ?? {}).flatMap((text) => text.split(' '));
    records.set(name, {
      key: operation.key,
      version: version + 1,
      columns: { ...empty, ...operation.columns },
      body: operation.body,
      words: new Set(words),
    });
  }
  return true;
}

/** Makes an empty model of one collection. */
export function createReferenceModel(definition: CollectionDefinition): ReferenceModel {
  let records = new Map<string, ModelRecord>();
  const valueOf = (record: StoredRecord, field: string): ColumnValue => {
    const part = definition.key.indexOf(field);
    return (part < 0 ? record.columns[field] : record.key[part]) ?? null;
  };
  const orderOf = (record: StoredRecord, fields: readonly string[]): ColumnValue[] => [
    ...fields.map((field) => valueOf(record, field)),
    ...record.key,
  ];
  const select = (query: Pick<ScanQuery, 'index' | 'equal' | 'range'>) => {
    const declared = definition.indexes.find((index) => index.name === query.index);
    const fields = declared?.fields ?? definition.key;
    const found = [...records.values()].filter((record) => {
      const values = orderOf(record, fields);
      const isEqual = query.equal.every((value, at) => value === values[at]);
      return isEqual && isInRange(values[query.equal.length] ?? null, query.range ?? {});
    });
    return { fields, found };
  };
  return {
    apply(operations) {
      const staged = new Map(records);
      const columnNames = Object.keys(definition.columns);
      const done = operations.every((operation) => applyOne(staged, operation, columnNames));
      if (done) records = staged;
      return done;
    },
    all: () => [...records.values()],
    scan(query) {
      const { fields, found } = select(query);
      const sign = query.descending === true ? -1 : 1;
      const compare = (left: readonly ColumnValue[], right: readonly ColumnValue[]): number =>
        sign * compareModelLists(left, right);
      const after = query.after && [...query.after.values, ...query.after.key];
      return found
        .filter((record) => after === undefined || compare(orderOf(record, fields), after) > 0)
        .sort((left, right) => compare(orderOf(left, fields), orderOf(right, fields)))
        .slice(0, query.limit)
        .map(({ key, version, columns, body }) => ({
          key,
          version,
          columns,
          body: query.part === 'columns' ? '' : body,
        }));
    },
    tally(query) {
      const groupBy = query.groupBy ?? [];
      const sums = query.sums ?? [];
      const groups = new Map<string, Tally>();
      const empty = { count: 0, sums: sums.map(() => 0) };
      if (groupBy.length === 0) groups.set('[]', { group: [], ...empty });
      for (const record of select(query).found) {
        const group = groupBy.map((field) => valueOf(record, field));
        const before = groups.get(JSON.stringify(group)) ?? { group, ...empty };
        groups.set(JSON.stringify(group), {
          group,
          count: before.count + 1,
          sums: before.sums.map((sum, at) => sum + Number(valueOf(record, sums[at] ?? ''))),
        });
      }
      return [...groups.values()].sort((a, b) => compareModelLists(a.group, b.group));
    },
    matches(equal, words) {
      const isMatch = (record: ModelRecord): boolean =>
        equal.every((part, at) => part === record.key[at]) &&
        words.some((word) => record.words.has(word));
      return this.all()
        .filter(isMatch)
        .map((record) => JSON.stringify(record.key));
    },
  };
}
