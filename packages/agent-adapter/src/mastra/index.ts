export { type ContextProcessor, contextProcessor } from './context-processor.ts';
export type {
  ChunkShape,
  ErrorArgs,
  RequestArgs,
  ResponseArgs,
  ToolInvocationPart,
  ToolResultArgs,
} from './host-types.ts';
