export { contextProcessor } from './context-processor.ts';
export { contextTools } from './context-tools.ts';
export { withContext } from './with-context.ts';
