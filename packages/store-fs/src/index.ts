export { fsBackend } from './fs-backend.ts';
export { openFsStore } from './open-fs-store.ts';
export { checkStoreFiles } from './recover/check-store-files.ts';
export { copySetAside, setAsideRecords } from './recover/set-aside-records.ts';
