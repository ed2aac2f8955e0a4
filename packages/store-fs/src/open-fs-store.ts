import { type ContextStore, type OpenStoreOptions, openStore } from '@ctx/store';
import { fsBackend } from './fs-backend.ts';
import type { FsStoreOptions } from './store-options.ts';

/**
 * Opens a folder of readable JSON files as a store of one tenant.
 * Close it when done; several processes may have it open.
 * @throws `CTX_INVALID_OPTION` for options that make no sense, `CTX_INVALID_INPUT` for a folder that is not empty and no store; `CTX_STORE_READ_ONLY`,
 * `CTX_STORE_FULL`, `CTX_STORE_IO`, `CTX_STORE_BUSY` where the folder cannot be opened.
 */
export function openFsStore(options: FsStoreOptions & OpenStoreOptions): Promise<ContextStore> {
  return openStore(fsBackend(options), options);
}
