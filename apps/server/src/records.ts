export {
  changesSinceEvent,
  type ChangesSource,
  type ItemChangesBehind,
} from './event-log/changes-since-event.ts';
export {
  type LiveChange,
  type LiveEvent,
  type LiveEventType,
  liveEventTypes,
} from './event-log/live-event.ts';
export type { LiveLog } from './event-log/live-log.ts';
export { type LiveEventOptions, withLiveEvents } from './event-log/with-live-events.ts';
export type {
  IdempotencyService,
  IdempotentClaim,
  IdempotentRequest,
  KeptAnswer,
} from './idempotency/idempotency-service.ts';
export { keepAnswersMs } from './idempotency/prune-answers.ts';
export { allows, type ApiKey, type KeyScope, keyScopes } from './keys/api-key.ts';
export type { CreatedKey, KeyInput, KeyListRequest, KeyService } from './keys/key-service.ts';
export type { RandomBytes } from './keys/key-text.ts';
export type { BudgetAnswer, BudgetName, CallBudgets } from './tenants/call-budgets.ts';
export {
  type LiveListener,
  openTenants,
  type OpenTenantsOptions,
  type OthersWatch,
  type TenantStores,
} from './tenants/open-tenants.ts';
export type { BudgetLimit } from './tenants/plan-share.ts';
export type { SharedWork } from './tenants/share-works.ts';
