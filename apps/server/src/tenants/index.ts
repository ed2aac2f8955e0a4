export type { PurgeFindings, PurgeScope, PurgeSteps, WorkKind, WorkPlace } from '@ctx/store';
export {
  beginPurge,
  checkScope,
  countedAs,
  listPurges,
  type PurgeKeeping,
  type PurgePlan,
  type PurgeProgress,
  type PurgeRecord,
  type PurgeRequest,
  type PurgeShare,
  type PurgeStage,
  type PurgeStep,
  type PurgeWork,
  type PurgeWorkOptions,
  planPurge,
  purgeCounts,
  purgeProgress,
  readPurge,
  type TimedKeeping,
  workOnPurge,
} from '@ctx/store';
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
export {
  type IdempotencyService,
  type IdempotentClaim,
  type IdempotentRequest,
  type KeptAnswer,
} from '../idempotency/idempotency-service.ts';
export { keepAnswersMs } from '../idempotency/prune-answers.ts';
export { type ApiKey, allows, type KeyScope, keyScopes } from '../keys/api-key.ts';
export type { CreatedKey, KeyInput, KeyListRequest, KeyService } from '../keys/key-service.ts';
export type { RandomBytes } from '../keys/key-text.ts';
export type { BudgetAnswer, BudgetName, CallBudgets } from './call-budgets.ts';
export {
  type LiveListener,
  type OpenTenantsOptions,
  type OthersWatch,
  openTenants,
  type TenantStores,
} from './open-tenants.ts';
export type { BudgetLimit } from './plan-share.ts';
export type { SharedWork } from './share-works.ts';
