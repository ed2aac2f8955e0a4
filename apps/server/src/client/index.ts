export type { components, paths } from './api.ts';
export { type CtxClient, createClient } from './create-client.ts';
export { idInUrl } from './id-in-url.ts';
