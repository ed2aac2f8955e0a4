export { createServer } from './create-server.ts';
export { serve } from './serve.ts';
export { defaultServerLimits } from './server-options.ts';
