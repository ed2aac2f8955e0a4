import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { CollectionDefinition } from '@ctx/store/backend';
import { indexFolderName } from '../files/file-layout.ts';
import { makeFolders } from '../files/make-folders.ts';
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
    makeFolders(path);
    const root = realpathSync(path);
    await claimFolder(root, { definitions, durability });
    makeFolders(join(root, indexFolderName));
    return root;
  } catch (error) {
    throw storeError(error, 'making the folder of the store');
  }
}
