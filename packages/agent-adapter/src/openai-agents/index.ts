export { type ContextInputFilter, contextInputFilter } from './context-input-filter.ts';
export { contextModel, type ModelShape } from './context-model.ts';
export { contextTools } from './context-tools.ts';
export type { ItemShape, UsageShape } from './host-types.ts';
export type { AgentSession, CompactingSession } from './session/agent-session.ts';
export { createSession } from './session/create-session.ts';
export { wrapTools } from './wrap-tools.ts';
