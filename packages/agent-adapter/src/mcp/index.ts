export { type ContextScope, contextTools } from './context-tools.ts';
export type { McpServerShape, TemplateClass } from './host-types.ts';
export { addressOf, outputTemplate } from './output-address.ts';
export { registerContext } from './register-context.ts';
export { type ClientShape, wrapClient } from './wrap-client.ts';
