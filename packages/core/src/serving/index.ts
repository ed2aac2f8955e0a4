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
} from '../live/changes-since-event.ts';
export {
  type LiveChange,
  type LiveEvent,
  type LiveEventType,
  liveEventTypes,
} from '../live/live-event.ts';
export type { LiveLog } from '../live/live-log.ts';
export { type LiveEventOptions, withLiveEvents } from '../live/with-live-events.ts';
export { passedLists } from '../store/record-lists.ts';
export {
  checkScope,
  planPurge,
  type PurgePlan,
  type PurgeRequest,
} from '../purge/plan-purge.ts';
export type { PurgeFindings } from '../purge/steps-of-scope.ts';
export type { PurgeSteps } from '../purge/plan-parts.ts';
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
} from '../purge/purge-record.ts';
export type { PurgeScope } from '../purge/purge-scope.ts';
export { countedAs, type PurgeStep } from '../purge/purge-step.ts';
export {
  type PurgeShare,
  type PurgeWork,
  type PurgeWorkOptions,
  workOnPurge,
} from '../purge/work-on-purge.ts';
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
export type { WorkKind } from '../work/open-works.ts';
export type { WorkPlace } from '../work/work-place.ts';
