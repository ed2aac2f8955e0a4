export { contextMiddleware } from './context-middleware.ts';
export { contextPrepareStep } from './context-prepare-step.ts';
export { contextTools } from './context-tools.ts';
export { withContext } from './with-context.ts';
export { wrapTools } from './wrap-tools.ts';
