export { withLiveEvents } from './event-log/with-live-events.ts';
export { keyScopes } from './keys/api-key.ts';
export type { Answer } from './schemas/answer.ts';
export { entryOf, entrySchemas } from './schemas/entries.ts';
export { openTenants } from './tenants/open-tenants.ts';
