import type { CollectionDefinition, StoreBackend } from '../backend/store-backend.ts';
import { storeCollections } from '../collections/collections.ts';

/** What a session is called in keys: graphs call it a thread. */
const sessionNames: ReadonlySet<string | undefined> = new Set(['session_id', 'thread_id']);

/** Where sessions leave records. Not each of them has one of its own: whoever only saves outputs makes none. */
const collections: readonly CollectionDefinition[] = storeCollections.filter(({ key }) =>
  sessionNames.has(key[1]),
);

/** Their names; the record of the session itself is among them. */
export const sessionCollections: readonly string[] = collections.map(({ name }) => name);

/** Columns that say when a record was last touched. */
const timeColumns = ['at', 'created_at', 'updated_at', 'changed_at'];

/** The names of a collection's sessions. Takes one step of an index for each. */
export async function* sessionsIn(
  backend: StoreBackend,
  collection: string,
  tenant: string,
): AsyncGenerator<string, void, undefined> {
  let last: string | undefined;
  for (;;) {
    const range = last === undefined ? {} : { range: { from: last, fromExclusive: true } };
    const query = { collection, index: 'key', equal: [tenant], ...range, limit: 1 } as const;
    let found: string | undefined;
    for await (const { key } of backend.scan({ ...query, part: 'columns' })) found = key[1];
    if (found === undefined) return;
    yield found;
    last = found;
  }
}

/** Every session that left anything in the store, as keys hold it. */
export async function allSessions(backend: StoreBackend, tenant: string): Promise<Set<string>> {
  const found = new Set<string>();
  for (const place of sessionCollections) {
    for await (const session of sessionsIn(backend, place, tenant)) found.add(session);
  }
  return found;
}

async function newest(
  backend: StoreBackend,
  query: { readonly collection: string; readonly index: string; readonly equal: string[] },
  column: string,
): Promise<number> {
  const last = { ...query, descending: true, limit: 1, part: 'columns' } as const;
  for await (const { columns } of backend.scan(last)) return Number(columns[column]);
  return Number.NEGATIVE_INFINITY;
}

/** Records whose newest is found by an index. */
const ordered: ReadonlySet<string> = new Set(['sessions', 'events', 'outputs']);

/** The newest of the other records of a session. Reads the columns of all of them. */
async function newestOther(backend: StoreBackend, equal: readonly string[]): Promise<number> {
  let last = Number.NEGATIVE_INFINITY;
  for (const { name: collection } of collections) {
    if (ordered.has(collection)) continue;
    const query = { collection, index: 'key', equal, part: 'columns' } as const;
    for await (const { columns } of backend.scan(query)) {
      for (const column of timeColumns) last = Math.max(last, Number(columns[column] ?? last));
    }
  }
  return last;
}

/** When something last happened in a session: its record, its log or what else it left say so. ms since the epoch. */
export async function lastActivity(
  backend: StoreBackend,
  tenant: string,
  session: string,
): Promise<number> {
  const equal = [tenant, session];
  const [record] = await backend.get('sessions', [equal], 'columns');
  const own =
    record === undefined ? Number.NEGATIVE_INFINITY : Number(record.columns['updated_at']);
  return Math.max(
    own,
    await newest(backend, { collection: 'events', index: 'key', equal }, 'at'),
    await newest(backend, { collection: 'outputs', index: 'by_session', equal }, 'created_at'),
    await newestOther(backend, equal),
  );
}
