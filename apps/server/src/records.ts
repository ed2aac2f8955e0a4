export { withLiveEvents } from './event-log/with-live-events.ts';
export { type ApiKey, type KeyScope, keyScopes } from './keys/api-key.ts';
export type { KeyService } from './keys/key-service.ts';
export { openTenants, type TenantStores } from './tenants/open-tenants.ts';
