export { fitPoliciesWith } from './fit/fit-policies.ts';
export { classic } from './policies/classic.ts';
export { none } from './policies/none.ts';
export { offload } from './policies/offload.ts';
export { defaultReplayPolicies, replayPolicies } from './policies/replay-policies.ts';
export { type ReplayedRequest, replaySession } from './replay.ts';
export type { PolicyContext, PolicyRun, ReplayPolicy } from './replay-policy.ts';
export type { PolicyReport } from './replay-report.ts';
export { type ReplaySession, stepsOf } from './replay-session.ts';
