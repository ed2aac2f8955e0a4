import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { CollectionDefinition } from '@ctx/store/backend';
import { indexFolderName } from '../files/file-layout.ts';
import { storeError } from '../files/system-errors.ts';
import { checkIsNoFile, claimFolder } from '../lock/store-mark.ts';
import type { FsStoreSettings } from '../store-options.ts';

/** Creates the folder of a store and returns its real path. */
export async function makeRoot(
  { path, durability }: FsStoreSettings,
  definitions: readonly CollectionDefinition[],
): Promise<string> {
  try {
    checkIsNoFile(path);
    mkdirSync(path, { mode: 0o700, recursive: true });
    const root = realpathSync(path);
    await claimFolder(root, { definitions, durability });
    mkdirSync(join(root, indexFolderName), { mode: 0o700, recursive: true });
    return root;
  } catch (error) {
    throw storeError(error, 'making the folder of the store');
  }
}
