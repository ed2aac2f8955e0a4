import type {
  CollectionDefinition,
  ColumnValue,
  DeleteOperation,
  PatchOperation,
  PutOperation,
  RecordKey,
} from '../backend/store-backend.ts';

/** A collection with every kind of column and index. */
export const things: CollectionDefinition = {
  name: 'things',
  key: ['tenant', 'box', 'id'],
  columns: {
    kind: { type: 'text' },
    label: { type: 'text', nullable: true },
    amount: { type: 'integer', nullable: true },
    ratio: { type: 'real', nullable: true },
    weight: { type: 'real' },
    size: { type: 'integer' },
  },
  indexes: [
    { name: 'by_label', fields: ['tenant', 'label'], tally: { sums: ['size'] } },
    { name: 'by_amount', fields: ['tenant', 'amount'] },
    { name: 'by_ratio', fields: ['tenant', 'ratio'] },
    { name: 'by_kind', fields: ['tenant', 'kind', 'amount'] },
    {
      name: 'by_weight',
      fields: ['tenant', 'box', 'weight'],
      tally: { bucketWidth: 0.5, sums: ['size'] },
    },
    {
      name: 'by_size',
      fields: ['tenant', 'size'],
      tally: { bucketWidth: 10, sums: ['amount', 'size'] },
    },
  ],
  search: [
    { name: 'title', weight: 4 },
    { name: 'text', weight: 1 },
  ],
};

/** A collection with nothing but keys and bodies. */
export const notes: CollectionDefinition = {
  name: 'notes',
  key: ['tenant', 'id'],
  columns: {},
  indexes: [],
  search: [],
};

/** What a case's store is opened with unless it says otherwise. */
export const caseCollections: readonly CollectionDefinition[] = [things, notes];

/** What a case says about a thing; the rest is filled in. */
export interface ThingInput {
  readonly tenant?: string;
  readonly box?: string;
  readonly columns?: Readonly<Record<string, ColumnValue>>;
  readonly body?: string;
  readonly words?: Readonly<Record<string, string>>;
  readonly expectVersion?: number;
}

export function thingKey(id: string, input: Pick<ThingInput, 'tenant' | 'box'> = {}): RecordKey {
  return [input.tenant ?? 't', input.box ?? 'b', id];
}

export function putThing(id: string, input: ThingInput = {}): PutOperation {
  const { columns = {}, body = '{}', words, expectVersion } = input;
  return {
    type: 'put',
    collection: 'things',
    key: thingKey(id, input),
    columns: { kind: 'k', weight: 0, size: 0, ...columns },
    body,
    ...(words === undefined ? {} : { words }),
    ...(expectVersion === undefined ? {} : { expectVersion }),
  };
}

export function patchThing(
  id: string,
  columns: Readonly<Record<string, ColumnValue>>,
  input: Pick<ThingInput, 'tenant' | 'box' | 'expectVersion'> = {},
): PatchOperation {
  const { expectVersion } = input;
  return {
    type: 'patch',
    collection: 'things',
    key: thingKey(id, input),
    columns,
    ...(expectVersion === undefined ? {} : { expectVersion }),
  };
}

export function deleteThing(
  id: string,
  input: Pick<ThingInput, 'tenant' | 'box' | 'expectVersion'> = {},
): DeleteOperation {
  const { expectVersion } = input;
  return {
    type: 'delete',
    collection: 'things',
    key: thingKey(id, input),
    ...(expectVersion === undefined ? {} : { expectVersion }),
  };
}

export function putNote(id: string, body = '{}', tenant = 't'): PutOperation {
  return { type: 'put', collection: 'notes', key: [tenant, id], columns: {}, body };
}
