export type { EvidenceTotal } from './measure-evidence.ts';
export { classic } from './policies/classic.ts';
export { none } from './policies/none.ts';
export { offload } from './policies/offload.ts';
export { defaultReplayPolicies, replayPolicies } from './policies/replay-policies.ts';
export { type ReplayedRequest, type ReplayOptions, replaySession } from './replay.ts';
export type { PolicyContext, PolicyRun, ReplayPolicy } from './replay-policy.ts';
export type { OutputRecovery, PolicyReport, ReplayReport, SavedTotal } from './replay-report.ts';
export { defaultStepMs, type ReplaySession, type ReplayStep, stepsOf } from './replay-session.ts';
