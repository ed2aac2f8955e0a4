export { withLiveEvents } from './event-log/with-live-events.ts';
export type { Answer } from './schemas/answer.ts';
export { entryOf, entrySchemas } from './schemas/entries.ts';
export { openTenants } from './tenants/open-tenants.ts';
export { shareSession } from './windows/share-session.ts';
