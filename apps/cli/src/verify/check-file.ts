import type { StoreUrl } from '@ctx/agent-adapter/store';
import { systemClock } from '@ctx/core';
import { type Finding, storeCollections, wordsOfRecord } from '@ctx/store';

/** What the check of a store's files gave: what is still wrong, and how many records have no checksum. */
export interface FileCheck {
  readonly findings: readonly Finding[];
  /** Records of older versions of ctx: what is damaged in them cannot be told. */
  readonly unsealed: number;
  /** Whether the store cannot be opened as it is. */
  readonly isBroken: boolean;
}

function findingOf(what: string): Finding {
  return { kind: 'damaged-file', collection: 'file', key: [], what };
}

async function checkDatabase(path: string, repair: boolean): Promise<FileCheck> {
  const { checkSqliteFile, repairSqliteFile } = await import('@ctx/store-sqlite');
  if (repair) {
    const now = systemClock();
    await repairSqliteFile({
      path,
      collections: storeCollections,
      wordsOf: wordsOfRecord,
      now,
      rebuild: false,
    });
  }
  const { damage, unsealed } = await checkSqliteFile(path);
  return { findings: damage.map(findingOf), unsealed, isBroken: damage.length > 0 };
}

async function checkFolder(path: string): Promise<FileCheck> {
  const { checkStoreFiles } = await import('@ctx/store-fs');
  const { damage } = await checkStoreFiles(path, storeCollections);
  // A file of one record is named by its record.
  const parts = damage.filter(({ isPart }) => isPart);
  const findings = parts.map(({ path: file, reason }) => findingOf(`${file}: ${reason}`));
  return { findings, unsealed: 0, isBroken: false };
}

/**
 * Checks every page and file of a store, and its checksums; with `repair`, rebuilds damaged indexes and counts of a database.
 * The store must not be open in this process.
 */
export async function checkFile({ scheme, path }: StoreUrl, repair: boolean): Promise<FileCheck> {
  if (scheme === 'sqlite') return await checkDatabase(path, repair);
  if (scheme === 'fs') return await checkFolder(path);
  return { findings: [], unsealed: 0, isBroken: false };
}
