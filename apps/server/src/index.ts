export { createServer } from './create-server.ts';
export { loopbackRules } from './http/address-guard.ts';
export { type ServeOptions, type ServingServer, serve } from './serve.ts';
export { defaultServerLimits } from './server-options.ts';
