import type { StoreBackend } from '@ctx/store/backend';
import { fsBackend } from '@ctx/store-fs';
import { postgresBackend } from '@ctx/store-postgres';
import { sqliteBackend } from '@ctx/store-sqlite';

/** A backend by its URL: `sqlite:<file>`, `fs:<folder>`, or a server's with a schema. */
export function backendAt(url: string, schema: string): StoreBackend {
  if (url.startsWith('sqlite:')) return sqliteBackend({ path: url.slice('sqlite:'.length) });
  if (url.startsWith('fs:')) return fsBackend({ path: url.slice('fs:'.length) });
  return postgresBackend({ url, schema, maxConnections: 5 });
}
