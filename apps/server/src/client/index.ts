export type { components, paths } from './api.ts';
export { type ClientOptions, createClient, type CtxClient } from './create-client.ts';
export { idInUrl } from './id-in-url.ts';
