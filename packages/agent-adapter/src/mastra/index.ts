export { type ContextProcessor, contextProcessor } from './context-processor.ts';
