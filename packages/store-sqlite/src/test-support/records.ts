import type {
  CollectionDefinition,
  ColumnValue,
  PutOperation,
  ScanQuery,
  StoreBackend,
  StoredRecord,
} from '@ctx/store/backend';

/** A small collection with everything a table can have. */
export const papers: CollectionDefinition = {
  name: 'papers',
  key: ['tenant', 'shelf', 'paper_id'],
  columns: {
    kind: { type: 'text', nullable: true },
    rank: { type: 'real' },
    pages: { type: 'integer' },
  },
  indexes: [
    {
      name: 'by_rank',
      fields: ['tenant', 'shelf', 'kind', 'rank'],
      tally: { bucketWidth: 0.25, sums: ['pages'] },
    },
    { name: 'by_pages', fields: ['tenant', 'pages'] },
  ],
  search: [
    { name: 'title', weight: 3 },
    { name: 'text', weight: 1 },
  ],
};

/** A paper's put. */
export function putPaper(
  id: string,
  paper: {
    readonly tenant?: string;
    readonly shelf?: string;
    readonly columns?: Readonly<Record<string, ColumnValue>>;
    readonly body?: string;
    readonly words?: Readonly<Record<string, string>>;
    readonly expectVersion?: number;
  } = {},
): PutOperation {
  const { tenant = 't', shelf = 's', columns = {}, body = '{}', words, expectVersion } = paper;
  return {
    type: 'put',
    collection: 'papers',
    key: [tenant, shelf, id],
    columns: { kind: null, rank: 0, pages: 0, ...columns },
    body,
    ...(words === undefined ? {} : { words }),
    ...(expectVersion === undefined ? {} : { expectVersion }),
  };
}

/** All records of a scan. */
export async function scanAll(backend: StoreBackend, query: ScanQuery): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const record of backend.scan(query)) records.push(record);
  return records;
}

/** The last key part of each record of tenant `t`, in key order. */
export async function paperIds(backend: StoreBackend, tenant = 't'): Promise<string[]> {
  const records = await scanAll(backend, { collection: 'papers', index: 'key', equal: [tenant] });
  return records.map(({ key }) => key[2] ?? '');
}
