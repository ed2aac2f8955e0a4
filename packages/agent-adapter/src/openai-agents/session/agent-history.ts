import { CtxError } from '@ctx/core';
import {
  decodeValue,
  encodeValue,
  fingerprint,
  fingerprintText,
  isRecord,
} from '@ctx/core/encoding';
import { type CollectionAccess, type ContextStore, collections, retryOnConflict } from '@ctx/store';
import type { StoredRecord, WriteOperation } from '@ctx/store/backend';
import type { ItemShape } from '../host-types.ts';
import { sequenceText } from '../../sequence-text.ts';

/** An item with its number in the history. Numbers grow and are never used again. */
export interface NumberedItem {
  readonly sequence: number;
  readonly item: ItemShape;
}

/** What one change does to a history. */
export interface HistoryStep {
  /** Numbers of the items that leave. */
  readonly leaving: readonly number[];
  /** What takes the place of items that stay where they are, by number. */
  readonly changing?: ReadonlyMap<number, ItemShape>;
  /** What comes after those that stay. */
  readonly coming: readonly ItemShape[];
  /** The operation that this is, where it has a name. */
  readonly operation?: HistoryOperation;
  /** Whether the operations that were taken are forgotten. Default false. */
  readonly forgets?: boolean;
}

/** An operation that may come again: then it changes nothing. */
export interface HistoryOperation {
  readonly id: string;
  /** What it does; equal for equal operations. */
  readonly fingerprint: string;
}

/** What a change finds. */
export interface HistoryView {
  /** Number that the next item gets. */
  readonly next: number;
  /** All items, or the newest few, in order. */
  items(limit?: number): Promise<readonly NumberedItem[]>;
  /** What an operation of this name did; `undefined` where there was none. */
  operation(id: string): Promise<string | undefined>;
}

/** What a change did. */
export interface HistoryReceipt {
  /** Number that the first of the items which came got. */
  readonly first: number;
  readonly next: number;
}

/** One history in a store. */
export interface AgentHistory {
  view(): Promise<HistoryView>;
  /**
   * Lets a change take effect, all of it or nothing, after whatever others did meanwhile.
   * `plan` may run several times, each time on a new view; where it gives `undefined` nothing is written.
   * @throws what `plan` throws.
   */
  change(plan: (view: HistoryView) => Promise<HistoryStep | undefined>): Promise<HistoryReceipt>;
}

interface Tables {
  readonly heads: CollectionAccess;
  readonly items: CollectionAccess;
  readonly operations: CollectionAccess;
}

interface Place {
  readonly store: ContextStore;
  readonly sessionId: string;
  readonly tables: Tables;
}

function itemOf(record: StoredRecord): NumberedItem {
  const name = record.key.join(' / ');
  try {
    const item = decodeValue(JSON.parse(record.body));
    if (isRecord(item)) return { sequence: Number(record.key[1]), item };
  } catch (cause) {
    throw new CtxError('CTX_STORE_CORRUPT', `item ${name} cannot be read`, { cause });
  }
  throw new CtxError('CTX_STORE_CORRUPT', `item ${name} is none`);
}

const keyOf = (sessionId: string, sequence: number): readonly string[] => [
  sessionId,
  sequenceText(sequence),
];

/** The name of an operation may be of any length. */
const operationKey = (sessionId: string, id: string): readonly string[] => [
  sessionId,
  fingerprintText(id),
];

async function readItems(
  { tables, sessionId }: Place,
  limit: number | undefined,
): Promise<NumberedItem[]> {
  const found: NumberedItem[] = [];
  const newest = limit === undefined ? {} : { descending: true, limit };
  const query = { index: 'key', equal: [sessionId], ...newest };
  for await (const record of tables.items.scan(query)) found.push(itemOf(record));
  return limit === undefined ? found : found.reverse();
}

function viewOf(place: Place, head: StoredRecord | undefined): HistoryView {
  const { tables, sessionId } = place;
  return {
    next: Number(head?.columns['next_sequence'] ?? 0),
    items: (limit) => readItems(place, limit),
    operation: async (id) => {
      const record = await tables.operations.get(operationKey(sessionId, id), 'columns');
      return record && String(record.columns['transaction_hash']);
    },
  };
}

async function operationRemovals({ tables, sessionId }: Place): Promise<WriteOperation[]> {
  const removals: WriteOperation[] = [];
  const query = { index: 'key', equal: [sessionId], part: 'columns' } as const;
  for await (const { key } of tables.operations.scan(query)) {
    removals.push(tables.operations.remove({ key }));
  }
  return removals;
}

async function writesOf(
  place: Place,
  step: HistoryStep,
  first: number,
): Promise<readonly WriteOperation[]> {
  const { tables, sessionId, store } = place;
  const { items, operations } = tables;
  const at = store.clock();
  const { operation, changing = [] } = step;
  const put = (sequence: number, item: ItemShape): WriteOperation => {
    const body = JSON.stringify(encodeValue(store.redactor.redact(item).value));
    return items.put({ key: keyOf(sessionId, sequence), columns: { at }, body });
  };
  return [
    ...step.leaving.map((sequence) => items.remove({ key: keyOf(sessionId, sequence) })),
    ...[...changing].map(([sequence, item]) => put(sequence, item)),
    ...step.coming.map((item, index) => put(first + index, item)),
    ...(step.forgets === true ? await operationRemovals(place) : []),
    ...(operation === undefined
      ? []
      : [
          operations.put({
            key: operationKey(sessionId, operation.id),
            columns: { at, transaction_hash: operation.fingerprint },
            body: '{}',
          }),
        ]),
  ];
}

async function changeOnce(
  place: Place,
  plan: (view: HistoryView) => Promise<HistoryStep | undefined>,
): Promise<HistoryReceipt> {
  const { tables, sessionId, store } = place;
  const head = await tables.heads.get([sessionId], 'columns');
  const view = viewOf(place, head);
  const step = await plan(view);
  const first = view.next;
  if (step === undefined) return { first, next: first };
  const next = first + step.coming.length;
  const before = Number(head?.columns['items'] ?? 0);
  const count = before + step.coming.length - step.leaving.length;
  await store.records.write([
    tables.heads.put({
      key: [sessionId],
      columns: { items: count, next_sequence: next, changed_at: store.clock() },
      body: '{}',
      expectVersion: head?.version ?? 0,
    }),
    ...(await writesOf(place, step, first)),
  ]);
  return { first, next };
}

/** Opens the history of a session. Does nothing until used. */
export function agentHistory(store: ContextStore, sessionId: string): AgentHistory {
  const { records } = store;
  const tables: Tables = {
    heads: records.collection(collections.agentHistories),
    items: records.collection(collections.agentHistoryItems),
    operations: records.collection(collections.agentHistoryOperations),
  };
  const place: Place = { store, sessionId, tables };
  return {
    view: async () => viewOf(place, await tables.heads.get([sessionId], 'columns')),
    change: (plan) => retryOnConflict(() => changeOnce(place, plan)),
  };
}

/** What a value says, whatever the order of its members. */
export function hashOfItem(value: unknown): string {
  return fingerprint(value);
}
