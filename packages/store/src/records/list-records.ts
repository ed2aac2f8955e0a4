import { decodeText, encodeText } from '@ctx/core/encoding';
import { fieldValue } from '../backend/index-order.ts';
import { collectMapped } from '../backend/indexes/map-scan.ts';
import { listedValues, listsOf } from '../backend/record-lists.ts';
import type { CollectionDefinition, RecordLists, StoreBackend } from '../backend/store-backend.ts';
import type { ListQuery } from '../backend/record-lists.ts';

/** With what escapes of texts begin. */
const escapeCharacter = encodeText('\0').charAt(0);

/** How JSON begins an escape sign, where it does not write it as it is. */
const escapedSign = `\\u${escapeCharacter.charCodeAt(0).toString(16).slice(0, 3)}`;

/** The list with its texts as they were given to the tenant's store. Costs a look nearly always. */
function decodeList(text: string): string {
  if (!text.includes(escapeCharacter) && !text.includes(escapedSign)) return text;
  return JSON.stringify(
    listedValues(text).map((value) => (typeof value === 'string' ? decodeText(value) : value)),
  );
}

function decodeLists({ count, lists, versions }: RecordLists): RecordLists {
  const decoded = Object.entries(lists).map(([name, text]) => [name, decodeList(text)] as const);
  return { count, lists: Object.fromEntries(decoded), versions };
}

async function listsOfScan(
  backend: StoreBackend,
  definition: CollectionDefinition,
  { names, size, ...query }: ListQuery,
): Promise<RecordLists[]> {
  const columns = names.filter((name) => !definition.key.includes(name));
  const scan = backend.scan({ ...query, columns, part: 'columns' });
  const records = await collectMapped(scan, (record) => record);
  return listsOf(records, { names, size }, (record, name) => fieldValue(definition, record, name));
}

/**
 * The records of a scan as lists, from the backend where it offers them, else made of the scan. Texts are as they were given to the
 * tenant's store.
 */
export async function listRecords(
  backend: StoreBackend,
  definition: CollectionDefinition,
  query: ListQuery,
): Promise<RecordLists[]> {
  const { names, size, ...range } = query;
  const offered = await backend.scan(range).lists?.(names, size);
  const parts = offered ?? (await listsOfScan(backend, definition, query));
  return parts.map(decodeLists);
}
