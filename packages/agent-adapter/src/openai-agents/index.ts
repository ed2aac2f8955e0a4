export type {
  AgentSession,
  CompactingSession,
  HistoryTransaction,
  ReplaceCallMutation,
  TransactionArgs,
} from './session/agent-session.ts';
export type { SessionCompactionOptions, SessionUsage } from './session/compact-history.ts';
export { type ContextInputFilter, contextInputFilter } from './context-input-filter.ts';
export { contextModel, type ModelShape } from './context-model.ts';
export {
  contextTools,
  type ParametersShape,
  type ToolFieldsShape,
} from './context-tools.ts';
export { createSession, type SessionOptions } from './session/create-session.ts';
export type { ItemShape, RunContextShape, UsageShape } from './host-types.ts';
export { wrapTools, type WrapToolsOptions } from './wrap-tools.ts';
