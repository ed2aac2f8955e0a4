export { checkInsideProject, findConfigFiles, readConfigFile } from './config-files.ts';
export { locateStore, userFolders } from './store-location.ts';
export { parseStoreUrl, type StoreUrl } from './store-url.ts';
