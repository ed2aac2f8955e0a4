export {
  checkInsideProject,
  configIn,
  findProjectConfig,
  projectConfigNames,
  readConfigFile,
  userConfigNames,
} from './config-files.ts';
export {
  locateStore,
  type StoreLocation,
  type StoreOrigin,
  type UserFolders,
  userFolders,
} from './store-location.ts';
export { hasFiles, type PostgresStoreUrl, parseStoreUrl, type StoreUrl } from './store-url.ts';
