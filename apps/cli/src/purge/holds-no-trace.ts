import { lstat } from 'node:fs/promises';
import type { StoreUrl } from '@ctx/agent-adapter/store';

/**
 * Whether a closed store holds no byte of what was deleted: while another process reads a SQLite file, its log does. Nothing is known here
 * of the log, the replicas and the backups of a server.
 */
export async function isTraceless({ scheme, path }: StoreUrl): Promise<boolean> {
  if (scheme !== 'sqlite') return scheme !== 'postgres';
  try {
    return (await lstat(`${path}-wal`)).size === 0;
  } catch {
    return true;
  }
}
