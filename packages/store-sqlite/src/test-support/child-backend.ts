import type { StoreBackend } from '@ctx/store/backend';
import { sqliteBackend } from '../sqlite-backend.ts';

/** The backend of a program of tests: it writes on a thread where the environment says where that thread's program lies. */
export function childBackend(path: string): StoreBackend {
  const program = process.env['CTX_WRITE_THREAD'] ?? '';
  return sqliteBackend({ path, ...(program === '' ? {} : { writeThread: new URL(program) }) });
}
