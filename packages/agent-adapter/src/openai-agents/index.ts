export { contextInputFilter } from './context-input-filter.ts';
export { contextModel } from './context-model.ts';
export { contextTools } from './context-tools.ts';
export { createSession } from './session/create-session.ts';
export { withContext } from './with-context.ts';
export { wrapTools } from './wrap-tools.ts';
