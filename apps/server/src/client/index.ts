export type { paths } from './api.ts';
export { createClient } from './create-client.ts';
export { idInUrl } from './id-in-url.ts';
