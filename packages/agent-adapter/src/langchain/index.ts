export {
  type ContextMiddleware,
  contextMiddleware,
  type ContextMiddlewareOptions,
  type ManagerOfThread,
} from './context-middleware.ts';
export { contextTools, type MakeTool, type ToolFieldsShape } from './context-tools.ts';
