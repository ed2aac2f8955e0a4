export { contextInstructions } from './context-instructions.ts';
export type { ContextScope } from './context-tools.ts';
export { registerContext } from './register-context.ts';
export { wrapClient } from './wrap-client.ts';
