export {
  type IdempotencyService,
  type IdempotentClaim,
  type IdempotentRequest,
  type KeptAnswer,
} from '../idempotency/idempotency-service.ts';
export { keepAnswersMs } from '../idempotency/prune-answers.ts';
export { allows, type ApiKey, type KeyScope, keyScopes } from '../keys/api-key.ts';
export type { CreatedKey, KeyInput, KeyListRequest, KeyService } from '../keys/key-service.ts';
export type { RandomBytes } from '../keys/key-text.ts';
export {
  type ChangesSource,
  changesSinceEvent,
  type ItemChangesBehind,
} from '../event-log/changes-since-event.ts';
export {
  type LiveChange,
  type LiveEvent,
  type LiveEventType,
  liveEventTypes,
} from '../event-log/live-event.ts';
export type { LiveLog } from '../event-log/live-log.ts';
export { type LiveEventOptions, withLiveEvents } from '../event-log/with-live-events.ts';
export { checkScope, planPurge, type PurgePlan, type PurgeRequest } from '@ctx/store';
export type { PurgeFindings } from '@ctx/store';
export type { PurgeSteps } from '@ctx/store';
export {
  beginPurge,
  listPurges,
  purgeCounts,
  purgeProgress,
  type PurgeKeeping,
  type PurgeProgress,
  type PurgeRecord,
  type PurgeStage,
  readPurge,
  type TimedKeeping,
} from '@ctx/store';
export type { PurgeScope } from '@ctx/store';
export { countedAs, type PurgeStep } from '@ctx/store';
export { type PurgeShare, type PurgeWork, type PurgeWorkOptions, workOnPurge } from '@ctx/store';
export type { BudgetAnswer, BudgetName, CallBudgets } from './call-budgets.ts';
export {
  type LiveListener,
  openTenants,
  type OpenTenantsOptions,
  type OthersWatch,
  type TenantStores,
} from './open-tenants.ts';
export type { BudgetLimit } from './plan-share.ts';
export type { SharedWork } from './share-works.ts';
export type { WorkKind } from '@ctx/store';
export type { WorkPlace } from '@ctx/store';
