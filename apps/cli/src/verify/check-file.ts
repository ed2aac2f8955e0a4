import { CtxError } from '@ctx/core';
import type { Finding } from '@ctx/store';
import type { StoreUrl } from '../store/store-url.ts';

interface Statement {
  all(): readonly Readonly<Record<string, unknown>>[];
}

/** What is used of a SQLite driver. */
interface Database {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
}

type DatabaseClass = new (path: string, options: { readonly readOnly: boolean }) => Database;

/** The driver that `@ctx/store-sqlite` takes, too: two of them must not hold one file at the same time. */
async function databaseClass(): Promise<DatabaseClass> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isBuiltIn = major > 22 || (major === 22 && minor >= 13);
  const name = isBuiltIn ? 'node:sqlite' : '@photostructure/sqlite';
  // Both export the class under this name; the shape is that of their documentation.
  const module = (await import(name)) as { readonly DatabaseSync: DatabaseClass };
  return module.DatabaseSync;
}

/** Lines that SQLite says about a damaged file; its answer to a good one is `ok`. */
function damageOf(database: Database): string[] {
  const rows = database.prepare('PRAGMA integrity_check(20)').all();
  const lines = rows.map((row) => String(row['integrity_check']));
  return lines.filter((line) => line !== 'ok');
}

function findingOf(what: string): Finding {
  return { kind: 'damaged-file', collection: 'file', key: [], what };
}

/** What the check of a file gave: what is still wrong, and whether building the indexes anew helped. */
export interface FileCheck {
  readonly findings: readonly Finding[];
  readonly mended: number;
}

/**
 * Has SQLite check every page and index of a store's file; with `repair`, damaged indexes are built anew.
 * Contract: nobody in this process has the file open. Throws: `CTX_STORE_CORRUPT` where it is no database.
 */
export async function checkFile({ scheme, path }: StoreUrl, repair: boolean): Promise<FileCheck> {
  if (scheme !== 'sqlite') return { findings: [], mended: 0 };
  const Database = await databaseClass();
  let database: Database | undefined;
  try {
    database = new Database(path, { readOnly: !repair });
    const before = damageOf(database);
    if (before.length > 0 && repair) database.exec('REINDEX');
    const after = before.length > 0 && repair ? damageOf(database) : before;
    return { findings: after.map(findingOf), mended: before.length - after.length };
  } catch (cause) {
    if (cause instanceof CtxError) throw cause;
    const what = cause instanceof Error ? cause.message : String(cause);
    return { findings: [findingOf(what)], mended: 0 };
  } finally {
    database?.close();
  }
}
