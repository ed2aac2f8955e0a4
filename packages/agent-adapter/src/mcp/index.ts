export { contextInstructions } from './context-instructions.ts';
export { type ContextScope, contextTools } from './context-tools.ts';
export { outputTemplate } from './output-address.ts';
export { registerContext } from './register-context.ts';
export { wrapClient } from './wrap-client.ts';
