export { type ContextMiddleware, contextMiddleware } from './context-middleware.ts';
export { contextPrepareStep } from './context-prepare-step.ts';
export { wrapTools } from './wrap-tools.ts';
