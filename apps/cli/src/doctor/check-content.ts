import { bytesText, countedText, countText } from '@ctx/core/encoding';
import { lstat } from 'node:fs/promises';
import type { StoreUrl } from '@ctx/agent-adapter/store';
import { storeCollections } from '@ctx/store';
import type { DoctorCheck } from '../schemas/store.ts';

const name = 'content';

/** A larger database is read by `ctx verify` alone. */
const mostBytes = 1024 ** 3;

function problem(found: string, advice: string): DoctorCheck {
  return { name, status: 'problem', found, advice };
}

function unsealedNote(unsealed: number): string {
  return unsealed === 0 ? '' : `; ${countText(unsealed)} of an older ctx have no checksum`;
}

async function checkDatabase(path: string): Promise<DoctorCheck> {
  const { size } = await lstat(path);
  if (size > mostBytes) {
    return { name, status: 'ok', found: `${bytesText(size)} were not read: ctx verify reads all` };
  }
  const { checkSqliteFile } = await import('@ctx/store-sqlite');
  const { damage, records, unsealed } = await checkSqliteFile(path);
  const [page] = damage;
  if (page !== undefined) {
    return problem(
      `${path} is damaged: ${page}`,
      'ctx doctor --repair brings back what can be read, and keeps the damaged file.',
    );
  }
  const [record] = records;
  if (record !== undefined) {
    const what = `${countedText(records.length, 'damaged record')}, such as: ${record}`;
    return problem(what, 'ctx verify names them all, ctx verify --repair takes them out.');
  }
  const found = `every page and checksum fits${unsealedNote(unsealed)}`;
  return { name, status: 'ok', found };
}

async function checkFolder(path: string): Promise<DoctorCheck> {
  const { checkStoreFiles } = await import('@ctx/store-fs');
  const { damage, setAside, files } = await checkStoreFiles(path, storeCollections);
  const [first] = damage;
  const advice = 'ctx verify names each record, ctx verify --repair takes them out.';
  if (first !== undefined) {
    const places = countedText(damage.length, 'damaged place');
    return problem(`${places}, such as ${first.path}: ${first.reason}`, advice);
  }
  if (setAside > 0) {
    const what = `${countedText(setAside, 'record')} could not be read and were set aside`;
    return problem(`${what} in ${path}/.quarantine`, advice);
  }
  return { name, status: 'ok', found: `every checksum of ${countedText(files, 'file')} fits` };
}

/** Compares all that a store's files hold with its checksums. The store must not be open in this process. */
export async function checkContent({ scheme, path }: StoreUrl): Promise<DoctorCheck> {
  return scheme === 'sqlite' ? await checkDatabase(path) : await checkFolder(path);
}
