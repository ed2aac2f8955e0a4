export {
  type ContextAnswer,
  type ContextScope,
  type ContextTool,
  contextTools,
} from './context-tools.ts';
export type { ListedResource, McpServerShape, TemplateClass } from './host-types.ts';
export { addressOf, type OutputAddress, outputAddress, outputTemplate } from './output-address.ts';
export { registerContext, type RegisterOptions } from './register-context.ts';
export { type ClientShape, wrapClient, type WrapClientOptions } from './wrap-client.ts';
