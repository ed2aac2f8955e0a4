export type { ContextScope } from './context-tools.ts';
export type { McpServerShape, TemplateClass } from './host-types.ts';
export { addressOf, type OutputAddress, outputAddress } from './output-address.ts';
export { registerContext, type RegisterOptions } from './register-context.ts';
export { type ClientShape, wrapClient, type WrapClientOptions } from './wrap-client.ts';
