export type { ContextOptions } from '../with-context/open-context.ts';
export type { ContextClient, FetchClient } from '../with-context/with-client.ts';
export { withContext } from './with-context.ts';
