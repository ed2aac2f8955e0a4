export { fsBackend } from './fs-backend.ts';
export type { FsStoreOptions } from './store-options.ts';
