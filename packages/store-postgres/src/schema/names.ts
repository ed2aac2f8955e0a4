import { createHash } from 'node:crypto';

/** Names that ctx adds begin with a sign that no declared name begins with. */
export const recordVersion = '_version';
/** The body as text; null where it is packed. */
export const recordBody = '_body';
/** The body compressed; null where it is text. */
export const recordPacked = '_packed';
/** Words to find the record by, with a token for each leading part of its key; null where there are none. */
export const recordWords = '_words';
/** How often each word stands in each field, and the length: what ranking needs. */
export const recordTerms = '_terms';

/** The table of facts about the schema: layout, definitions. */
export const metaTable = 'ctx$$meta';

/** The table of writes that were made, by tenant and the id of each. */
export const notesTable = 'ctx$$writes';

/** PostgreSQL cuts longer names off without a word. Source: NAMEDATALEN. */
const mostBytes = 63;

/** The name of the SQL index behind a declared index, or behind the order of the key. */
export function indexName(collection: string, index: string): string {
  const name = `${collection}$${index}`;
  if (name.length <= mostBytes) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return `${name.slice(0, mostBytes - 17)}$${digest}`;
}
